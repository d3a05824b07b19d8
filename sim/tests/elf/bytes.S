// SPDX-License-Identifier: Apache-2.0
// 2 * 1 + 1 at tohost by a store of a byte; before it stores of zeros to it, one beside it and one that traps.
#include "tohost.h"
  la t0, after
  csrw mtvec, t0
  la s1, tohost
  li s2, 1
  sd s2, 8(s1)
  sd s2, 4(s1) // misaligned
  .align 2
after:
  li s2, 3
  sb zero, 0(s1)
  sh zero, 2(s1)
  sb s2, 0(s1)
stop:
  j stop
