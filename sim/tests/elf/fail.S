// SPDX-License-Identifier: Apache-2.0
// Test 5 fails: 2 * 5 + 1 at tohost, as riscv-tests store it, the lower half first and again and again.
#include "tohost.h"
  li gp, 5
  slli gp, gp, 1
  ori gp, gp, 1
write_tohost:
  sw gp, tohost, t5
  sw zero, tohost + 4, t5
  j write_tohost
