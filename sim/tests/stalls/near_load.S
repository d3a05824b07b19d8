// SPDX-License-Identifier: Apache-2.0
// A chain of loads that hit L1D: each address is the word loaded before.
#include "stalls.h"
  test_begin
  li t0, NHG_LOCAL_BASE + 0x100000
  sd t0, 0(t0)
  ld t1, 0(t0)
  region_begin
  li t1, 2000
1:ld t0, 0(t0)
  ld t0, 0(t0)
  ld t0, 0(t0)
  ld t0, 0(t0)
  addi t1, t1, -1
  bnez t1, 1b
  region_end
