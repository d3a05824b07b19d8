// SPDX-License-Identifier: Apache-2.0
// Exceptions: cause, mtval, mepc, mstatus stacking, wrong-path traps that must not be taken, nested traps.
#include "test.h"

  // Trap at the label `at`, checked against mepc.
  .macro check_epc number, at
  la a0, \at
  check_same \number, s9, a0
  .endm

  test_begin
1:ecall
  check_trap 1, 11, 0
  check_epc 2, 1b
  .option push
  .option norvc
2:ebreak
  .option pop
  li s10, 3
  li x31, 3
  bne s7, x31, test_fail
  check_epc 3, 2b
  check_same 4, s8, a0
  li s11, 0
3:.word 0xffffffff
  check_trap 5, 2, 0xffffffff
  check_epc 6, 3b
  .word 0x00000073 | 0x002 << 20
  check_trap 7, 2, 0x00200073
  .word 0x120000f3
  check_trap 8, 2, 0x120000f3
  .word 0x7b200073
  check_trap 9, 2, 0x7b200073
  .word 0x0000302f | 5 << 27
  check_trap 10, 2, 0x2800302f
  .word 0x00007003
  check_trap 11, 2, 0x00007003
  .word 0x02005013 | 1 << 26
  check_trap 12, 2, 0x06005013
  csrsi mideleg, 1 << 1
  csrsi mip, 1 << 1
  csrsi mie, 1 << 1
  wfi // does not sleep
  fence
  fence.i
  sfence.vma
  sfence.vma a0, a1
  .word 0x8330000f
  .insn i 0x13, 6, x0, 0(a0)
  check_no_trap 13

  // Jump to nowhere: the fault is at the target
  la s6, 4f
  li a1, 0x40000000
  jr a1
  check_eq 14, x0, 1
4:check_trap 15, 1, 0x40000000
  check_same 16, s9, a1
  la s6, 5f
  jr x0
5:check_trap 17, 1, 0
  la s6, 6f
  li a1, 0x7ffffffffffffffe
  jalr a1
6:check_trap 18, 1, 0x7ffffffffffffffe

  // mstatus: MIE moves to MPIE and back
  csrsi mstatus, 8
  la a1, look
  csrr s1, mtvec
  csrw mtvec, a1
  ecall
  csrw mtvec, s1
  check_eq 20, a2, 0xa00001880
  csrr a0, mstatus
  check_eq 21, a0, 0xa00000088
  csrci mstatus, 8
  j 1f
  .align 2
look:
  csrr a2, mstatus
  csrr a3, mepc
  addi a3, a3, 4
  csrw mepc, a3
  mret
1:csrr a0, mstatus
  check_eq 22, a0, 0xa00000080

  // Traps on the wrong path: behind a mispredicted branch that waits for a division
  li s2, 50
  li s3, 0
2:li t0, 100
  divu t0, t0, s2
  andi t1, s2, 1
  add t0, t0, t1
  sub t0, t0, t1
  divu t2, t0, t0
  andi t2, s2, 3
  beqz t2, 3f
  addi s3, s3, 1
  j 4f
3:ecall
  li s11, 0
4:addi s2, s2, -1
  bnez s2, 2b
  check_eq 23, s3, 38
  // A load that faults behind a taken branch is never seen
  li s2, 30
5:li t0, 1000
  div t0, t0, s2
  bnez t0, 6f
  ld a0, 1(x0)
6:addi s2, s2, -1
  bnez s2, 5b
  check_no_trap 24

  // Precise: results of older instructions are there, of younger ones are not
  li a0, 1
  li a1, 2
  li t0, 91
  li t1, 7
  div a0, t0, t1
  ld a1, 3(x0)
  addi a1, a1, 10
  check_trap 25, 4, 3
  check_eq 26, a0, 13
  check_eq 27, a1, 12

  // A trap inside the handler: the inner one overwrites mepc, the outer restores it
  la a1, outer
  csrw mtvec, a1
  li a4, 0
7:ecall
  csrw mtvec, s1
  check_eq 28, a4, 11
  check_no_trap 29
  j finish
  .align 2
outer:
  csrr a3, mepc
  la a2, inner
  csrw mtvec, a2
  ecall
  addi a4, a4, 1
  addi a3, a3, 4
  csrw mepc, a3
  mret_to_machine a2
  .align 2
inner:
  addi a4, a4, 10
  csrr a2, mepc
  addi a2, a2, 4
  csrw mepc, a2
  mret
finish:
  test_end
