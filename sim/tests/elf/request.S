// SPDX-License-Identifier: Apache-2.0
// Asks a host to print a character (HTIF device 1, command 1) and waits for it.
#include "tohost.h"
  la s1, tohost
  li s2, (1 << 56) | (1 << 48) | 'x'
  sd s2, 0(s1)
wait:
  ld s2, 0(s1)
  bnez s2, wait
