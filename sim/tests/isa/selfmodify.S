// SPDX-License-Identifier: Apache-2.0
// Code changed under the front end's eyes: the instruction right behind fence.i, one half of an instruction across two lines, a loop that
// changes its own body each round, branches turned around, code that was prefetched, predicted or is in flight.
#include "test.h"

#define ADDI_A0(imm) ((imm) << 20 | 0x00050513)
#define BEQZ_X0_8 0x00000463
#define BNEZ_X0_8 0x00001463

  .option push
  .option norvc
  .macro patch at, word
  la t0, \at
  li t1, \word
  sw t1, 0(t0)
  .endm

  test_begin
  // The instruction right behind fence.i: it is in the pipeline when the store is done
  li a0, 0
  patch 1f, ADDI_A0(100)
  fence.i
1:addi a0, a0, 1
  check_eq 1, a0, 100

  // 64 rounds of a loop that changes its own next instruction
  li a0, 0
  li s0, 0
  li s1, 64
  li s2, 0
2:slli t1, s0, 20
  li t2, ADDI_A0(0)
  or t1, t1, t2
  la t0, 3f
  sw t1, 0(t0)
  fence.i
3:nop
  add s2, s2, s0
  check_same 2, a0, s2
  addi s0, s0, 1
  bne s0, s1, 2b

  // A branch that is turned around each round, and is well predicted in between
  li s0, 40
  li a2, 0
4:li t1, BEQZ_X0_8
  andi t2, s0, 1
  beqz t2, 5f
  li t1, BNEZ_X0_8
5:la t0, 6f
  sw t1, 0(t0)
  fence.i
  li s1, 8
6:nop
  addi a2, a2, 1
  addi s1, s1, -1
  bnez s1, 6b
  addi s0, s0, -1
  bnez s0, 4b
  check_eq 3, a2, 20 * 8

  // Only the second half changes: the instruction lies across two lines, then across two pages
  .macro second_half number, size
  li a0, 0
  li s0, 20
  j 1f
  .balign \size
  .skip \size - 2
7:addi a0, a0, 1
  ret
1:la t0, 7b
  slli t1, s0, 4
  ori t1, t1, 5
  sh t1, 2(t0)
  fence.i
  jal ra, 7b
  addi s0, s0, -1
  bnez s0, 1b
  check_eq \number, a0, 20 * 21 / 2
  .endm
  .option push
  .option rvc
  .option norvc
  second_half 4, 64
  second_half 5, 4096
  .option rvc
  .balign 4
  .option pop

  // The same code in far memory, in a line that is dirty in L1D, with its old version in L1I and L2; 24 lines of one set evict it
  li s0, (NHG_FAR_BASE + 0x5000)
  li s1, 30
  li a0, 0
  li a2, 0
8:slli t1, s1, 20
  li t2, ADDI_A0(0)
  or t1, t1, t2
  sw t1, 0(s0)
  li t1, 0x00008067
  sw t1, 4(s0)
  add a2, a2, s1
  andi t2, s1, 3
  bnez t2, 9f
  li t2, 24
  li t3, 4096
  mv t4, s0
1:add t4, t4, t3
  sd x0, 0(t4)
  addi t2, t2, -1
  bnez t2, 1b
9:fence.i
  jalr s0
  check_same 6, a0, a2
  addi s1, s1, -1
  bnez s1, 8b

  // Changed by an AMO and by SC
  la s0, 2f
  li a0, 0
  li t1, ADDI_A0(7) ^ ADDI_A0(1)
  amoxor.w x0, t1, (s0)
  fence.i
2:addi a0, a0, 1
  check_eq 7, a0, 7
  la s0, 4f
3:lr.w t1, (s0)
  li t1, ADDI_A0(9)
  sc.w t2, t1, (s0)
  bnez t2, 3b
  fence.i
4:addi a0, a0, 1
  check_eq 8, a0, 16

  // A legal instruction becomes illegal and legal again
  la s0, 5f
  li a0, 0
  sw x0, 0(s0)
  fence.i
  j 5f
  .balign 64
5:addi a0, a0, 1
  li s10, 9
  li t0, 1
  beq s11, t0, 6f
  bnez a0, 7f
6:li s11, 0
  li t1, ADDI_A0(3)
  sw t1, 0(s0)
  fence.i
  j 5b
7:check_eq 9, a0, 3
  check_no_trap 10
  .option pop
  test_end
