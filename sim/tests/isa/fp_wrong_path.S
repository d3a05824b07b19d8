// SPDX-License-Identifier: Apache-2.0
// Floating point on a wrong path leaves nothing: no flag, no dirty state, no register, no rounding mode; divisions die half-way and the unit
// takes the next one. Behind branches that resolve late, by integer and by floating-point operands, and behind traps.
#include "test.h"

  .option norvc

  // t0 = 20 two divisions later: the branch is taken. Six times each, so that it is met at different places of a fetch block.
  .macro behind_branch bad:vararg
  .rept 6
  li t0, 1000
  div t0, t0, s2
  div t0, t0, s2
  bnez t0, 9f
  \bad
  \bad
9:addi s3, s3, 1
  .endr
  .endm

  // The branch waits for a quotient. It raises NX, which is cleared behind.
  .macro behind_quotient bad:vararg
  .rept 4
  fdiv.d ft0, fs0, fs1
  fle.d t0, fs0, ft0
  beqz t0, 9f
  \bad
  \bad
9:addi s3, s3, 1
  .endr
  csrwi fflags, 0
  .endm

  .macro behind_trap bad:vararg
  .word 0
  j 8f
  \bad
  \bad
8:lw x0, 1(x0)
  j 7f
  \bad
7:addi s3, s3, 1
  .endm

  .macro never bad:vararg
  behind_branch \bad
  behind_quotient \bad
  behind_trap \bad
  csrr a0, fcsr
  check_eq 1, a0, 0
  fmv.x.d a0, fa0
  check_same 2, a0, s4
  .endm

  test_begin
  li a0, 1 << 13
  csrs mstatus, a0
  li s2, 7
  li s4, 0x123456789abcdef0
  fmv.d.x fa0, s4
  li a0, 0x3ff0000000000000
  fmv.d.x fs0, a0
  li a0, 0x4008000000000000
  fmv.d.x fs1, a0
  fmv.d.x fs2, x0
  la a1, data
  csrwi fcsr, 0

  never fdiv.d fa0, fs0, fs1
  never fdiv.d fa0, fs0, fs2
  never fsqrt.d fa0, fs1
  never fsqrt.s fa0, fs1
  never fmadd.d fa0, fs1, fs1, fa0
  never fadd.s fa0, fs1, fs1
  never fmul.d fa0, fa0, fa0
  never fcvt.w.d a1, fa0
  never fcvt.s.d fa0, fs1
  never flt.s a1, fa0, fa0
  never fld fa0, 0(a1)
  never flw fa0, 0(a1)
  never csrwi fcsr, 31
  never csrwi frm, 1
  never csrwi fflags, 31

  // State stays as it is while nothing but wrong paths write it
  li a0, 3 << 13
  csrc mstatus, a0
  li a0, 1 << 13
  csrs mstatus, a0
  behind_branch fdiv.d fa0, fs0, fs1
  behind_branch fmadd.d fa0, fs1, fs1, fa0
  behind_branch fld fa0, 0(a1)
  csrr a0, mstatus
  li a2, 1 << 63 | 3 << 13
  and a0, a0, a2
  check_eq 10, a0, 1 << 13

  // Divisions one after the other, some of them dead: results are those of the living
  li s5, 40
  fmv.d.x fa1, x0
1:fdiv.d ft1, fs0, fs1
  andi t1, s5, 3
  div t1, t1, s2
  div t1, t1, s2
  bnez t1, 2f // never taken; its prediction may say otherwise at first
  fdiv.d ft2, fs1, fs0
  fadd.d fa1, fa1, ft2
2:andi t1, s5, 5
  div t2, t1, s2
  xor t2, t2, t1
  beqz t2, 3f // irregular
  fdiv.d ft3, fs1, fs1
  fsqrt.d ft4, ft3
  fadd.d fa1, fa1, ft4
3:addi s5, s5, -1
  bnez s5, 1b
  fcvt.l.d a0, fa1
  check_eq 11, a0, 150
  test_end

  .align 3
data:
  .quad -1
