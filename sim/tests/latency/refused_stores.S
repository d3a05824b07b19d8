// SPDX-License-Identifier: Apache-2.0
//
// Stores to more far lines than there are MSHRs, and an AMO on one more: the store pipe tries what was refused again every second cycle until memory
// answers. TURNS times; EXIT 0 = pass: the AMOs have added up.
#include "platform.h"

#define TURNS 8
#define LINES 40
#define LINE 64

  .section .text.start, "ax"
  .globl _start
_start:
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  li s0, NHG_FAR_BASE
  li s1, TURNS
  li s2, 0
turn:
  li t0, LINES
line:
  sd t0, 0(s0)
  addi s0, s0, LINE
  addi t0, t0, -1
  bnez t0, line
  li t1, 5
  sd t1, 0(s0)
  amoadd.d t1, s1, (s0)
  ld t1, 0(s0)
  add s2, s2, t1
  addi s0, s0, LINE
  addi s1, s1, -1
  bnez s1, turn
  li t3, NHG_HOST_ROI_END
  sd x0, 0(t3)
  // 5 and the turn's number each
  addi s2, s2, -(5 * TURNS + TURNS * (TURNS + 1) / 2)
  snez a0, s2
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
