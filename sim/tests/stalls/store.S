// SPDX-License-Identifier: Apache-2.0
// Atomics, which are performed at the ROB head.
#include "stalls.h"
  test_begin
  li t0, NHG_LOCAL_BASE + 0x100000
  li t1, 1000
  region_begin
1:amoadd.d t2, t1, (t0)
  amoadd.d t2, t1, (t0)
  addi t1, t1, -1
  bnez t1, 1b
  region_end
