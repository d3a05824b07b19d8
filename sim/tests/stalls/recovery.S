// SPDX-License-Identifier: Apache-2.0
// Branches on bits of a xorshift generator, which no predictor knows.
#include "stalls.h"
  test_begin
  li t0, 0x2545f4914f6cdd1d
  li t1, 4000
  region_begin
1:slli t2, t0, 13
  xor t0, t0, t2
  srli t2, t0, 7
  xor t0, t0, t2
  slli t2, t0, 17
  xor t0, t0, t2
  andi t2, t0, 64
  beqz t2, 2f
  addi t3, t3, 1
2:addi t1, t1, -1
  bnez t1, 1b
  region_end
