// SPDX-License-Identifier: Apache-2.0
// Locked regions: they hold for M mode too, and neither they nor the base of one change any more.
#include "test.h"
#include "modes.h"
#include "pmp.h"

#define PAGE (NHG_LOCAL_BASE + 0x700000)

  .macro loads number, address, mode
  li s0, \address
  enter \mode
  ld a0, 0(s0)
  .endm
  .macro denied number, address, mode
  loads \number, \address, \mode
  check_taken \number, TRAP_TO_M, 5, \address
  to_machine
  .endm
  .macro granted number, address, mode
  loads \number, \address, \mode
  check_no_trap \number
  to_machine
  .endm
  .macro keeps number, csr
  csrr s1, \csr
  li a0, -1
  csrw \csr, a0
  csrr a1, \csr
  check_same \number, a1, s1
  csrw \csr, x0
  csrr a1, \csr
  check_same \number, a1, s1
  .endm

  test_begin
  modes_begin
  regions_begin

  // Read only for all; a fetch of M, too
  region 1, NAPOT_ADDRESS(PAGE, 0x1000), PMP_NAPOT | PMP_R | PMP_LOCKED
  .irp mode, USER, SUPERVISOR, MACHINE
  granted 1, PAGE, \mode
  enter \mode
  sd a0, 8(s0)
  check_taken 2, TRAP_TO_M, 7, PAGE + 8
  amoor.w a0, a0, (s0)
  check_taken 3, TRAP_TO_M, 7, PAGE
  la s6, 1f
  jr s0
1:check_taken 4, TRAP_TO_M, 1, PAGE
  to_machine
  .endr

  // Neither its register nor its lane change; the next lane does
  keeps 5, pmpaddr1
  li t0, 0x1f1f0000 // regions 2, 3
  csrw pmpcfg0, t0
  csrr a0, pmpcfg0
  check_eq 6, a0, 0x1f1f0000 | (PMP_NAPOT | PMP_R | PMP_LOCKED) << 8
  csrw pmpcfg0, x0
  csrr a0, pmpcfg0
  check_eq 7, a0, (PMP_NAPOT | PMP_R | PMP_LOCKED) << 8
  // The region before may still be written: this one is no range
  csrw pmpaddr0, x0
  csrr a0, pmpaddr0
  check_eq 8, a0, 0

  // A locked range keeps its base, the register of a region that is off
  region 9, (PAGE + 0x2000) >> 2, 0
  region 10, (PAGE + 0x4000) >> 2, PMP_TOR | PMP_LOCKED
  keeps 9, pmpaddr9
  keeps 10, pmpaddr10
  li t0, 0xffff // regions 8, 9: not locked, but not to be either
  li t1, 0x7f7f
  csrs pmpcfg2, t1
  csrc pmpcfg2, t0
  .irp mode, USER, SUPERVISOR, MACHINE
  granted 11, PAGE + 0x1ff8, \mode
  denied 12, PAGE + 0x2000, \mode
  denied 13, PAGE + 0x3ff8, \mode
  granted 14, PAGE + 0x4000, \mode
  .endr

  // Locked and off: it stays off
  region 12, NAPOT_ADDRESS(PAGE + 0x8000, 0x1000), PMP_LOCKED
  region_config 12, PMP_NAPOT
  granted 15, PAGE + 0x8000, USER
  csrr a0, pmpcfg2
  srli a0, a0, 32
  andi a0, a0, 0xff
  check_eq 16, a0, PMP_LOCKED

  // A locked region that M meets behind one of its own that is not
  region 0, NAPOT_ADDRESS(PAGE, 0x1000), PMP_NAPOT
  li s0, PAGE
  sd x0, 16(s0)
  check_no_trap 17
  denied 18, PAGE, USER
  test_end
  mode_handlers
