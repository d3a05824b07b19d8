// SPDX-License-Identifier: Apache-2.0
// Triggers: every kind of access, which bytes and comparisons, in which mode they fire and when not, order among exceptions, the CSRs.
#include "test.h"
#include "ami.h"
#include "modes.h"
#include "pmp.h"

#define LOAD (1 << 0)
#define STORE (1 << 1)
#define EXECUTE (1 << 2)
#define IN_U (1 << 3)
#define IN_S (1 << 4)
#define IN_M (1 << 6)
#define NOT_BELOW (2 << 7)
#define BELOW (3 << 7)
#define MCONTROL (2 << 60)
#define DATA (NHG_LOCAL_BASE + 0x700000)
#define PAGE (NHG_LOCAL_BASE + 0x708000)

  // Trigger `index` on accesses `kind` at `address`.
  .macro trigger index, kind, address
  csrwi tselect, \index
  csrw tdata1, x0
  li x31, \address
  csrw tdata2, x31
  li x31, \kind
  csrw tdata1, x31
  .endm
  .macro fires number, address
  check_taken \number, TRAP_TO_M, 3, \address
  .endm

  test_begin
  modes_begin
  csrsi mstatus, STATUS_MIE
  li s0, DATA

  // Loads of one byte
  trigger 0, IN_M | LOAD, DATA + 11
  li a0, 77
  ld a0, 8(s0)
  fires 1, DATA + 8
  check_eq 2, a0, 77
  lw a0, 8(s0)
  fires 3, DATA + 8
  lb a0, 11(s0)
  fires 4, DATA + 11
  lh a0, 8(s0)
  check_no_trap 5
  lb a0, 12(s0)
  sd a0, 8(s0)
  check_no_trap 6
  lr.d a0, (s0)
  addi s1, s0, 8
  check_no_trap 7
  lr.d a0, (s1)
  fires 8, DATA + 8
  amoadd.d a0, a0, (s1)
  fires 9, DATA + 8
  sd x0, 8(s0)
  prefetch.r 0(s0)
  check_no_trap 10
  // Stores
  trigger 0, IN_M | STORE, DATA + 11
  li a0, 77
  sd a0, 8(s0)
  fires 11, DATA + 8
  ld a0, 8(s0)
  check_eq 12, a0, 0
  sb a0, 11(s0)
  fires 13, DATA + 11
  sh a0, 12(s0)
  lr.w a0, (s1)
  check_no_trap 14
  amoadd.w a0, a0, (s1)
  fires 15, DATA + 8
  lr.w a0, (s1)
  sc.w a0, a0, (s1)
  fires 16, DATA + 8
  // It may fire, too, where nothing is reserved
  trigger 0, IN_M | STORE, DATA + 128
  addi s1, s0, 128
  sc.w a0, a0, (s1)
  li s11, 0
  // From an address on, and below it
  trigger 0, IN_M | LOAD | STORE | NOT_BELOW, DATA + 11
  lw a0, 8(s0)
  fires 17, DATA + 8
  lb a0, 10(s0)
  lh a0, 8(s0)
  check_no_trap 18
  sb a0, 11(s0)
  fires 19, DATA + 11
  sd a0, 64(s0)
  fires 20, DATA + 64
  trigger 0, IN_M | LOAD | STORE | BELOW, DATA + 8
  ld a0, 0(s0)
  fires 21, DATA
  lb a0, 7(s0)
  fires 22, DATA + 7
  lb a0, 8(s0)
  ld a0, 64(s0)
  check_no_trap 23
  sb a0, 7(s0)
  fires 24, DATA + 7

  // Before every other exception of a load or store; of an AMO behind some
  trigger 0, IN_M | LOAD | STORE, DATA + 3
  lw a0, 2(s0)
  fires 25, DATA + 2
  sd a0, 3(s0)
  fires 26, DATA + 3
  addi s1, s0, 2
  amoadd.w a0, a0, (s1)
  check_taken 27, TRAP_TO_M, 6, DATA + 2
  trigger 0, IN_M | LOAD | STORE, 8
  ld a0, 8(x0)
  fires 28, 8
  sd a0, 8(x0)
  fires 29, 8
  li s1, 8
  amoadd.w a0, a0, (s1)
  fires 30, 8
  sc.w a0, a0, (s1)
  check_taken 33, TRAP_TO_M, 7, 8
  // A device is not reached
  trigger 0, IN_M | LOAD | STORE, NHG_FAR_CONTROL_BASE + 12
  li s1, NHG_FAR_CONTROL_BASE
  ld a0, 8(s1)
  fires 31, NHG_FAR_CONTROL_BASE + 8
  sd a0, 8(s1)
  fires 32, NHG_FAR_CONTROL_BASE + 8
  csrw tdata1, x0

  // Instructions: of four bytes both halves count
  .option push
  .option norvc
  .macro watched number, kind, offset, count, at
  csrw tdata1, x0
  la x31, 5f
  addi x31, x31, \offset
  csrw tdata2, x31
  li x31, IN_M | EXECUTE | \kind
  csrw tdata1, x31
  li a0, 1
  .align 2
5:addi a0, a0, 4
  csrw tdata1, x0
  li s10, \number
  li x31, \count
  bne s11, x31, test_fail
  beqz x31, 6f
  li s11, 0
  li x31, 3
  bne s7, x31, test_fail
  la x31, 5b
  bne s9, x31, test_fail
  addi x31, x31, \at
  bne s8, x31, test_fail
  addi a0, a0, 4
6:check_eq \number, a0, 5
  .endm
  watched 40, 0, 0, 1, 0
  watched 41, 0, 1, 1, 0
  watched 42, 0, 2, 1, 2
  watched 43, 0, 3, 1, 2
  watched 44, 0, 8, 0, 0
  .option pop
  // A compressed one has no second half
  .option push
  .option rvc
  la x31, 2f
  csrw tdata2, x31
  li x31, IN_M | EXECUTE
  csrw tdata1, x31
  .align 2
1:c.nop
2:c.nop
  csrw tdata1, x0
  la a0, 2b
  li s10, 50
  bne s9, a0, test_fail
  bne s8, a0, test_fail
  li s10, 51
  addi s11, s11, -1
  bnez s11, test_fail
  .option pop
  // Before a fetch fault, and before an illegal instruction
  trigger 0, IN_M | EXECUTE, 8
  la s6, 1f
  li s1, 8
  .macro jump_to_8 number, cause
  la s6, 7f
  la x30, machine_trap
  csrr x29, mtvec
  la x31, 8f
  csrw mtvec, x31
  jr s1
  .align 2
8:csrr a0, mcause
  csrr a1, mtval
  csrw mtvec, x29
  csrsi mstatus, STATUS_MIE
7:check_eq \number, a0, \cause
  check_eq \number, a1, 8
  .endm
  jump_to_8 52, 3
  csrw tdata1, x0
  jump_to_8 53, 1

  // In the modes of its bits. An ecall has left MIE zero: then none fires in M.
  .macro in_modes number, bits, user, supervisor, machine
  trigger 0, LOAD | \bits, DATA + 16
  enter USER
  ld a0, 16(s0)
  .if \user
  fires \number, DATA + 16
  .endif
  check_no_trap \number
  to_machine
  enter SUPERVISOR
  ld a0, 16(s0)
  .if \supervisor
  fires \number + 1, DATA + 16
  .endif
  check_no_trap \number + 1
  to_machine
  ld a0, 16(s0)
  check_no_trap \number + 2
  csrsi mstatus, STATUS_MIE
  ld a0, 16(s0)
  .if \machine
  fires \number + 3, DATA + 16
  .endif
  check_no_trap \number + 3
  .endm
  in_modes 60, IN_U, 1, 0, 0
  in_modes 60, IN_S, 0, 1, 0
  in_modes 60, IN_M, 0, 0, 1
  in_modes 60, IN_U | IN_S | IN_M, 1, 1, 1
  in_modes 60, 0, 0, 0, 0
  // Delegated: in S only with SIE, in U always
  li t0, 1 << 3
  csrw medeleg, t0
  trigger 0, LOAD | IN_U | IN_S, DATA + 16
  enter SUPERVISOR
  csrsi sstatus, STATUS_SIE
  ld a0, 16(s0)
  check_taken 70, TRAP_TO_S, 3, DATA + 16
  csrci sstatus, STATUS_SIE
  ld a0, 16(s0)
  check_no_trap 71
  to_machine
  enter USER
  ld a0, 16(s0)
  check_taken 72, TRAP_TO_S, 3, DATA + 16
  to_machine
  csrw medeleg, x0
  enter SUPERVISOR
  ld a0, 16(s0)
  fires 73, DATA + 16
  to_machine
  // By the mode, not by MPRV
  csrsi mstatus, STATUS_MIE
  li t0, STATUS_MPP
  csrc mstatus, t0
  li t0, STATUS_MPRV
  csrs mstatus, t0
  ld a0, 16(s0)
  check_no_trap 74
  trigger 0, LOAD | IN_M, DATA + 16
  ld a0, 16(s0)
  fires 75, DATA + 16
  csrc mstatus, t0

  // Before memory protection
  trigger 0, LOAD | IN_U, PAGE
  region 3, NAPOT_ADDRESS(PAGE, 0x1000), 0
  regions_begin
  region_config 3, PMP_NAPOT
  li s1, PAGE
  enter USER
  ld a0, 0(s1)
  fires 76, PAGE
  ld a0, 8(s1)
  check_taken 77, TRAP_TO_M, 5, PAGE + 8
  to_machine

  // Requests of the AMU are not watched
  csrsi mstatus, STATUS_MIE
  take_spm_way
  trigger 0, LOAD | STORE | IN_M | NOT_BELOW, DATA
  aload_at DATA, 6, 1, 0
  wait_any a0
  astore_at DATA, 6, 1, 0
  wait_any a0
  check_no_trap 78

  // Four of them, each by itself
  .irp index, 0, 1, 2, 3
  trigger \index, LOAD | IN_M, DATA + 256 + 8 * \index
  .endr
  ld a0, 264(s0)
  fires 80, DATA + 264
  ld a0, 280(s0)
  fires 81, DATA + 280
  ld a0, 288(s0)
  check_no_trap 82
  csrwi tselect, 1
  csrr a0, tdata2
  check_eq 83, a0, DATA + 264
  csrr a0, tdata1
  check_eq 84, a0, MCONTROL | LOAD | IN_M
  csrw tdata1, x0
  ld a0, 264(s0)
  check_no_trap 85
  ld a0, 256(s0)
  fires 86, DATA + 256
  csrwi tselect, 4
  csrr a0, tselect
  check_eq 87, a0, 0
  csrr a0, 0x7a4 // tinfo
  check_eq 88, a0, 4
  csrw 0x7a4, x0
  li t0, -1
  csrw tdata2, x0
  csrw tdata1, t0
  csrr a0, tdata1
  csrw tdata1, x0
  check_eq 89, a0, MCONTROL | BELOW | IN_M | IN_S | IN_U | EXECUTE | STORE | LOAD
  li t0, 1 << 7
  csrw tdata1, t0
  csrr a0, tdata1
  check_eq 90, a0, MCONTROL
  csrr a0, 0x7a3 // tdata3
  check_taken 91, TRAP_TO_M, 2, 0x7a302573
  csrr a0, 0x7a5 // tcontrol
  check_taken 92, TRAP_TO_M, 2, 0x7a502573
  test_end
  mode_handlers
