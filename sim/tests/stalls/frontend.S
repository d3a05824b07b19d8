// SPDX-License-Identifier: Apache-2.0
// Straight code of 64 KiB, four times L1I, without branches but the loop's.
#include "stalls.h"
  test_begin
  li t1, 4
  region_begin
1:
  .option push
  .option norvc
  .rept 4096
  addi t2, t2, 1
  addi t3, t3, 1
  addi t4, t4, 1
  addi t5, t5, 1
  .endr
  .option pop
  addi t1, t1, -1
  beqz t1, 2f
  la t6, 1b
  jr t6
2:region_end
