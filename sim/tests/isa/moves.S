// SPDX-License-Identifier: Apache-2.0
// Moves, which rename executes by sharing physical registers: all registers one value, values written again while others keep the old one,
// behind mispredicted branches and traps, of late results, of zero, of floating-point registers; many times, so that a lost or doubled
// physical register shows.
#include "test.h"

  .option norvc

  .macro all_from reg
  .irp n, 6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24
  mv x\n, \reg
  .endr
  .endm

  // A branch that depends on two divisions and is taken or not by bit 0 of a5: the moves behind it are on a wrong path now and then.
  .macro late_branch target
  divu t6, a5, a4
  mul t6, t6, a4
  sub t6, a5, t6
  andi t6, t6, 1
  bnez t6, \target
  .endm

  test_begin
  // 1: all registers share one, then each gets its own again
  li a0, 41
  li t3, 300
1:addi a0, a0, 1
  mv x5, a0
  all_from x5
  check_same 1, x24, x5
  .irp n, 6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24
  addi x\n, x\n, \n
  .endr
  check_same 2, x5, a0
  addi x30, x5, 24
  check_same 3, x24, x30
  addi x30, x5, 6
  check_same 4, x6, x30
  addi t3, t3, -1
  bnez t3, 1b
  check_eq 5, a0, 341

  // 6: the moves of a wrong path leave no trace; those of the right path stay
  li a5, 1
  li a4, 1000003
  li t3, 400
  li s2, 7
  li s3, 9
2:li x30, 1103515245
  mul a5, a5, x30
  addi a5, a5, 1013
  slli a5, a5, 33
  srli a5, a5, 33
  mv a0, s2
  mv a1, s3
  late_branch 3f
  mv a0, a1
  mv a1, x0
  mv s4, a0
  j 4f
3:add a0, x0, s3
  add a1, s2, x0
  mv s4, a1
4:andi x30, t6, 1
  beqz x30, 5f
  check_same 6, a0, s3
  check_same 7, a1, s2
  check_same 8, s4, s2
  j 6f
5:check_same 9, a0, s3
  check_eq 10, a1, 0
  check_same 11, s4, s3
6:addi t3, t3, -1
  bnez t3, 2b

  // 12: swaps of late results around traps
  li a0, 123456789
  li a1, 17
  li t3, 200
7:div a2, a0, a1
  mv a3, a2
  mv a2, a1
  mv a1, a3
  ecall
  mv a1, a2
  mv a2, a3
  ld a6, 1(x0)
  check_same 12, a2, a3
  check_eq 13, a1, 17
  addi t3, t3, -1
  bnez t3, 7b
  check_eq 14, a3, 7262164
  check_eq 15, s11, 400
  li s11, 0

  // 16: a move of zero is not the fixed register: what is written later stays out of x0
  li t3, 100
8:mv a0, x0
  mv a1, a0
  addi a0, a0, 5
  mv a2, x0
  add a2, a2, a0
  check_eq 16, a1, 0
  check_eq 17, a2, 5
  check_eq 18, x0, 0
  addi t3, t3, -1
  bnez t3, 8b

  // 19: floating point
  li x30, (1 << 13)
  csrs mstatus, x30
  li a0, 0x3ff0000000000000
  fmv.d.x fa0, a0
  fmv.d fa1, fa0
  li t3, 200
9:fadd.d fa1, fa1, fa0
  fmv.d fa2, fa1
  fmv.d fa3, fa2
  fadd.d fa2, fa2, fa0
  fmv.d fa1, fa3
  addi t3, t3, -1
  bnez t3, 9b
  fmv.x.d a1, fa1
  check_eq 19, a1, 0x4069200000000000
  fmv.x.d a2, fa2
  check_eq 20, a2, 0x4069400000000000
  // a single-precision move boxes what is not boxed
  fmv.s fa4, fa1
  fmv.x.d a3, fa4
  check_eq 21, a3, 0xffffffff7fc00000
  test_end
