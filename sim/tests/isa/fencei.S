// SPDX-License-Identifier: Apache-2.0
// Code that was run, is overwritten, and after fence.i runs in its new form; code in far memory.
#include "test.h"

  // addi a0, a0, imm / ret as words
#define ADDI_A0(imm) ((imm) << 20 | 0x00050513)
#define RET 0x00008067

  .macro patch_and_call number, base
  li s0, \base
  li t0, RET
  sw t0, 4(s0)
  li s1, 0
  li a0, 0
  li s2, 0
1:slli t0, s1, 20
  li t1, ADDI_A0(0)
  or t0, t0, t1
  sw t0, 0(s0)
  fence.i
  jalr s0
  add s2, s2, s1
  check_same \number, a0, s2
  addi s1, s1, 1
  li t0, 50
  blt s1, t0, 1b
  .endm

  test_begin
  patch_and_call 1, (NHG_LOCAL_BASE + 0x300000)
  patch_and_call 2, (NHG_FAR_BASE + 0x7c)
  patch_and_call 3, (NHG_LOCAL_BASE + 0x30103c)

  // A function copied line by line and called
  la s0, source
  la s1, source_end
  li s2, (NHG_LOCAL_BASE + 0x310002)
1:lhu t0, 0(s0)
  sh t0, 0(s2)
  addi s0, s0, 2
  addi s2, s2, 2
  bltu s0, s1, 1b
  fence.i
  li s2, (NHG_LOCAL_BASE + 0x310002)
  li a0, 10
  jalr s2
  check_eq 4, a0, 55
  check_no_trap 5
  j finish

source:
  mv t0, a0
  li a0, 0
1:add a0, a0, t0
  addi t0, t0, -1
  bnez t0, 1b
  ret
source_end:
finish:
  test_end
