// SPDX-License-Identifier: Apache-2.0
// A chain of divisions.
#include "stalls.h"
  test_begin
  li t0, -1
  li t2, 3
  li t1, 300
  region_begin
1:divu t0, t0, t2
  ori t0, t0, 1
  divu t0, t0, t2
  not t0, t0
  addi t1, t1, -1
  bnez t1, 1b
  region_end
