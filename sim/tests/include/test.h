// SPDX-License-Identifier: Apache-2.0
//
// Macros for self-checking assembler programs that run on the golden model and on the RTL.
// A program is test_begin, checks, test_end. It ends with EXIT 0, or with the number of the check that failed.
//
// Reserved registers: s10 number of the current check; x30, x31 scratch of macros and of the trap handler;
// s7, s8, s9 mcause, mtval, mepc of the last trap; s11 traps taken. The handler continues after the trapping
// instruction, or, for a fetch fault, at the address in s6.
#ifndef NHG_TEST_H
#define NHG_TEST_H

#include "platform.h"

  .macro test_begin
  .section .text.init, "ax", @progbits
  .globl _start
_start:
  .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  li x\n, 0
  .endr
  la x31, test_trap
  csrw mtvec, x31
  la sp, __stack_top
  .endm

  // The SPM is there from here on; after reset its way is L2's.
  .macro take_spm_way
  csrsi NHG_CSR_AMUCTL, 1 << NHG_AMI_AMUCTL_SPM_WAY_LSB
  .endm
  .macro give_spm_way_back
  csrci NHG_CSR_AMUCTL, 1 << NHG_AMI_AMUCTL_SPM_WAY_LSB
  .endm

  // Check `number`: reg holds value.
  .macro check_eq number, reg, value
  li s10, \number
  li x31, \value
  bne \reg, x31, test_fail
  .endm

  // Check `number`: both registers are equal.
  .macro check_same number, a, b
  li s10, \number
  bne \a, \b, test_fail
  .endm

  // Check `number`: what traps since the last check have counted in s11, and the last one's cause and mtval.
  .macro check_taken number, count, cause, tval
  li s10, \number
  li x31, \count
  bne s11, x31, test_fail
  li s11, 0
  li x31, \cause
  bne s7, x31, test_fail
  li x31, \tval
  bne s8, x31, test_fail
  .endm

  // Check `number`: exactly one trap since the last check_trap, with this cause and mtval.
  .macro check_trap number, cause, tval
  check_taken \number, 1, \cause, \tval
  .endm

  // Checks `number` and `number` + 1: a load and a store of a device register trap, and the load leaves its register as it was.
  .macro check_device_refuses number, load, store, address
  li t0, \address
  li a0, 99
  \load a0, 0(t0)
  check_trap \number, 5, \address
  check_eq \number, a0, 99
  \store a0, 0(t0)
  check_trap \number + 1, 7, \address
  .endm

  .macro check_no_trap number
  li s10, \number
  bnez s11, test_fail
  .endm

  // mret to machine mode, whatever an mret before it has left in MPP.
  .macro mret_to_machine register
  li \register, 3 << 11
  csrs mstatus, \register
  mret
  .endm

  .macro test_end
  li s10, 0
test_fail:
  li x31, NHG_HOST_EXIT
  sd s10, 0(x31)
test_stop:
  j test_stop

  .align 2
test_trap:
  addi s11, s11, 1
  csrr s7, mcause
  csrr s8, mtval
  csrr s9, mepc
  li x31, 1
  bne s7, x31, test_trap_skip
  csrw mepc, s6
  mret
test_trap_skip:
  lhu x30, 0(s9)
  andi x30, x30, 3
  addi x31, s9, 2
  addi x30, x30, -3
  bnez x30, test_trap_return
  addi x31, s9, 4
test_trap_return:
  csrw mepc, x31
  mret
  .endm

#endif
