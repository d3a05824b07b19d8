// SPDX-License-Identifier: Apache-2.0
// Memory protection: every right for every kind of access in each mode and by MPRV, each kind of region, which of several counts, reads of pmpaddr.
#include "test.h"
#include "ami.h"
#include "modes.h"
#include "pmp.h"

#define PAGE (NHG_LOCAL_BASE + 0x700000)
#define PAGE_BYTES 0x1000

  .macro allowed_if number, right, cause, tval
  .if \right
  check_no_trap \number
  .else
  check_taken \number, TRAP_TO_M, \cause, \tval
  .endif
  .endm

  // Loads, stores and atomics at s0, `address`, in this mode.
  .macro data_accesses number, address, r, w
  ld a0, 0(s0)
  allowed_if \number, \r, 5, \address
  sd a0, 0(s0)
  allowed_if \number + 1, \w, 7, \address
  lr.w a0, (s0)
  allowed_if \number + 2, \r, 5, \address
  sc.w a1, a0, (s0)
  allowed_if \number + 3, \w, 7, \address
  amoor.d a0, x0, (s0)
  allowed_if \number + 4, \w, 7, \address
  prefetch.r 0(s0)
  prefetch.w 0(s0)
  prefetch.i 0(s0)
  check_no_trap \number + 5
  .endm
  .macro call_it number, address, x
  la s6, 7f
  jalr ra, s0
7:allowed_if \number, \x, 1, \address
  .endm

  // With MPRV loads, stores and atomics of M have the rights of `mode`, fetches have not. A trap leaves MPP = M, its return MPP = U.
  .macro mprv_begin mode
  li x31, STATUS_MPP
  csrc mstatus, x31
  li x31, STATUS_MPRV | \mode << 11
  csrs mstatus, x31
  .endm
  .macro mprv_end
  li x31, STATUS_MPRV
  csrc mstatus, x31
  .endm
  .macro mprv_accesses number, address, mode, r, w
  mprv_begin \mode
  ld a0, 0(s0)
  allowed_if \number, \r, 5, \address
  mprv_begin \mode
  sd a0, 0(s0)
  allowed_if \number + 1, \w, 7, \address
  mprv_begin \mode
  amoor.d a0, x0, (s0)
  allowed_if \number + 2, \w, 7, \address
  mprv_begin \mode
  call_it \number + 3, \address, 1
  mprv_end
  .endm

  // Region `index` of `kind` has the page of s0 with these rights.
  .macro rights number, address, index, kind, rights
  region_config \index, (\kind) | (\rights)
  .irp mode, USER, SUPERVISOR
  enter \mode
  data_accesses \number, \address, (\rights) & 1, (\rights) & 2
  call_it \number + 6, \address, (\rights) & 4
  to_machine
  mprv_accesses \number + 7, \address, \mode, (\rights) & 1, (\rights) & 2
  .endr
  data_accesses \number + 11, \address, 1, 1 // it is not locked
  call_it \number + 17, \address, 1
  .endm

  // Loads of U from `first` to `last` are refused, around them not.
  .macro edges number, first, last
  li s0, \first - 8
  li s1, \first
  li s2, \last - 7
  li s3, \last + 1
  enter USER
  ld a0, 0(s0)
  check_no_trap \number
  ld a0, 0(s1)
  check_taken \number + 1, TRAP_TO_M, 5, \first
  ld a0, 0(s2)
  check_taken \number + 2, TRAP_TO_M, 5, \last - 7
  ld a0, 0(s3)
  check_no_trap \number + 3
  to_machine
  .endm

  test_begin
  modes_begin
  li s0, PAGE
  li t0, 0x00008067 // ret
  sd t0, 0(s0)
  fence.i

  // After reset each mode may access all
  csrr a0, pmpcfg0
  check_eq 1, a0, PMP_NAPOT | PMP_RWX
  csrr a0, pmpaddr0
  check_eq 2, a0, NAPOT_ALL
  enter USER
  data_accesses 3, PAGE, 1, 1
  call_it 9, PAGE, 1
  to_machine
  regions_begin

  // Rights, by NAPOT and by TOR
  region 3, NAPOT_ADDRESS(PAGE, PAGE_BYTES), 0
  rights 20, PAGE, 3, PMP_NAPOT, PMP_NONE
  rights 20, PAGE, 3, PMP_NAPOT, PMP_R
  rights 20, PAGE, 3, PMP_NAPOT, PMP_RW
  rights 20, PAGE, 3, PMP_NAPOT, PMP_X
  rights 20, PAGE, 3, PMP_NAPOT, PMP_RX
  rights 20, PAGE, 3, PMP_NAPOT, PMP_RWX
  region 11, PAGE >> 2, 0
  region 12, (PAGE + PAGE_BYTES) >> 2, 0
  region_config 3, 0
  rights 40, PAGE, 12, PMP_TOR, PMP_NONE
  rights 40, PAGE, 12, PMP_TOR, PMP_RW
  rights 40, PAGE, 12, PMP_TOR, PMP_RX

  // What a region has: a page, more, all below; nothing if it ends before it begins
  region_config 12, PMP_TOR
  edges 60, PAGE, PAGE + 0xfff
  region_config 12, 0
  region 3, NAPOT_ADDRESS(PAGE, 0x8000), PMP_NAPOT
  edges 60, PAGE, PAGE + 0x7fff
  region_config 3, 0
  region 4, (PAGE + 0x1000 - 4) >> 2, PMP_NAPOT // the lowest bits do not count
  edges 60, PAGE, PAGE + 0x1fff
  region_config 4, 0
  region 4, (PAGE + 0x1ffc) >> 2, 0
  region 5, (PAGE + 0x4ffc) >> 2, PMP_TOR
  edges 60, PAGE + 0x1000, PAGE + 0x3fff
  .irp last, 0, 0x1000
  region 5, (PAGE + \last) >> 2, PMP_TOR
  enter USER
  ld a0, 0(s1)
  check_no_trap 64
  to_machine
  .endr
  region_config 5, 0
  region 0, NHG_LOCAL_BASE >> 2, PMP_TOR
  li s4, NHG_HOST_BASE
  li s5, NHG_LOCAL_BASE
  enter USER
  sd x0, 64(s4)
  check_taken 66, TRAP_TO_M, 7, NHG_HOST_BASE + 64
  ld a0, 0(s5)
  check_no_trap 67
  to_machine
  region_config 0, 0

  // Devices
  li s4, NHG_FAR_CONTROL_BASE + 8
  region 0, NAPOT_ADDRESS(NHG_FAR_CONTROL_BASE, PAGE_BYTES), PMP_NAPOT | PMP_R
  enter USER
  ld a0, 0(s4)
  check_no_trap 68
  sd x0, 0(s4)
  check_taken 69, TRAP_TO_M, 7, NHG_FAR_CONTROL_BASE + 8
  to_machine
  region_config 0, PMP_NAPOT
  enter USER
  ld a0, 0(s4)
  check_taken 70, TRAP_TO_M, 5, NHG_FAR_CONTROL_BASE + 8
  to_machine
  region_config 0, 0

  // The first region that has the page counts, whatever the next ones allow
  li s0, PAGE
  region 6, NAPOT_ADDRESS(PAGE, PAGE_BYTES), PMP_NAPOT | PMP_R
  region 7, NAPOT_ADDRESS(PAGE, 0x4000), PMP_NAPOT | PMP_RW
  enter USER
  data_accesses 72, PAGE, 1, 0
  to_machine
  region_config 6, 0
  enter USER
  data_accesses 78, PAGE, 1, 1
  call_it 84, PAGE, 0
  to_machine
  // Where none is: denied, but to M
  region_config 7, 0
  region 15, NAPOT_ADDRESS(NHG_LOCAL_BASE, 0x400000), PMP_NAPOT | PMP_RWX
  enter SUPERVISOR
  data_accesses 85, PAGE, 0, 0
  call_it 91, PAGE, 0
  to_machine
  data_accesses 92, PAGE, 1, 1
  call_it 98, PAGE, 1
  region 15, NAPOT_ALL, PMP_NAPOT | PMP_RWX

  // Rights that change, and an access at once (cva6 3351)
  li t1, STATUS_MPRV
  li t2, STATUS_MPP
  region 3, NAPOT_ADDRESS(PAGE, PAGE_BYTES), 0
  .irp allowed, 0, 1, 0, 1
  li t0, (PMP_NAPOT | \allowed) << 24
  csrc mstatus, t2 // U
  csrw pmpcfg0, t0
  csrs mstatus, t1
  ld a0, 0(s0)
  allowed_if 100, \allowed, 5, PAGE
  csrc mstatus, t2
  csrw pmpcfg0, x0
  csrw pmpcfg0, t0
  ld a0, 0(s0)
  allowed_if 101, \allowed, 5, PAGE
  csrc mstatus, t1
  .endr

  // An instruction of which the second half is denied
  li s1, PAGE + PAGE_BYTES - 2
  li t0, 0x0013 // nop, lower half
  sh t0, 0(s1)
  sh x0, 2(s1)
  li t0, 0x8082 // ret
  sh t0, 4(s1)
  fence.i
  region 3, NAPOT_ADDRESS(PAGE + PAGE_BYTES, PAGE_BYTES), PMP_NAPOT | PMP_RW
  enter USER
  la s6, 1f
  jalr ra, s1
1:check_taken 110, TRAP_TO_M, 1, PAGE + PAGE_BYTES
  check_same 111, s9, s1
  to_machine
  region_config 3, PMP_NAPOT | PMP_X
  enter USER
  jalr ra, s1
  check_no_trap 112
  to_machine
  csrw pmpcfg0, x0

  // Requests of the AMU over a whole page
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_SLOT, 4096
  li t0, 1
  csrw mstateen0, t0
  csrw sstateen0, t0
  .macro requests number, r, w
  aload_at PAGE, 12, 1, 0
  allowed_if \number, \r, 5, PAGE
  .rept \r
  wait_any a0
  .endr
  astore_at PAGE, 12, 2, 0
  allowed_if \number + 1, \w, 7, PAGE
  .rept \w
  wait_any a0
  .endr
  aload_at PAGE + PAGE_BYTES - 8, 3, 3, 0
  allowed_if \number + 2, \r, 5, PAGE + PAGE_BYTES - 8
  .rept \r
  wait_any a0
  .endr
  csrr a0, NHG_CSR_AMUSTAT
  check_eq \number + 3, a0, 0
  .endm
  .macro request_rights rights, r, w
  region_config 3, PMP_NAPOT | \rights
  .irp mode, USER, SUPERVISOR
  enter \mode
  requests 120, \r, \w
  to_machine
  .endr
  requests 125, 1, 1
  .endm
  region 3, NAPOT_ADDRESS(PAGE, PAGE_BYTES), 0
  request_rights PMP_NONE, 0, 0
  request_rights PMP_R, 1, 0
  request_rights PMP_RW, 1, 1
  request_rights PMP_X, 0, 0
  mprv_begin USER
  aload_at PAGE, 3, 4, 0
  check_taken 130, TRAP_TO_M, 5, PAGE
  mprv_end
  region_config 3, 0

  // What reads of pmpaddr show, and what they keep
  .irp kind, 0, PMP_TOR
  region 2, 0x12345678 >> 2, \kind
  csrr a0, pmpaddr2
  check_eq 131, a0, (0x12345678 >> 2) & ~0x3ff
  .endr
  li t0, (0x12345678 >> 2) | 0x200
  csrw pmpaddr2, t0
  csrr a0, pmpaddr2
  check_eq 132, a0, (0x12345678 >> 2) & ~0x3ff
  region_config 2, PMP_NAPOT
  csrr a0, pmpaddr2
  check_eq 133, a0, (0x12345678 >> 2) | 0x3ff
  region_config 2, 0
  csrr a0, pmpaddr2
  check_eq 134, a0, (0x12345678 >> 2) & ~0x3ff
  li t0, (0x12345678 >> 2) | 0x200
  csrw pmpaddr2, t0
  li t0, 1 << 20
  csrs pmpaddr2, t0 // writes bit 9 as it was read: 0
  region_config 2, PMP_NAPOT
  csrr a0, pmpaddr2
  check_eq 137, a0, ((0x12345678 >> 2) & ~0x3ff) | 1 << 20 | 0x1ff
  region_config 2, PMP_NA4 // of less than a grain: NAPOT
  csrr a0, pmpcfg0
  srli a0, a0, 16
  andi a0, a0, 255
  check_eq 135, a0, PMP_NAPOT
  check_no_trap 136
  test_end
  mode_handlers
