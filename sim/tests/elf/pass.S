// SPDX-License-Identifier: Apache-2.0
// Ends with 1 at tohost, by two 4-byte stores, after some work: every second instruction that follows is a load of what was stored.
#include "tohost.h"
  li s0, 0
  la s1, tohost
loop:
  sd s0, 64(s1)
  ld s2, 64(s1)
  addi s0, s2, 1
  li s3, 100
  bne s0, s3, loop
  li gp, 1
  sw zero, 4(s1)
  sw gp, 0(s1)
stop:
  j stop
