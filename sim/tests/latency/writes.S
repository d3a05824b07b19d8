// SPDX-License-Identifier: Apache-2.0
//
// Writes every word of 64 lines of local memory 32 times, then reads them. In the region of interest L1D has the lines: it measures how fast the store queue
// and the store buffer hand stores over. EXIT 0 = pass: every word has what was written last.
#include "platform.h"

#define LINE 64
#define BYTES (64 * LINE)
#define TURNS 32

  .section .text.start, "ax"
  .globl _start
_start:
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li s0, NHG_LOCAL_BASE + NHG_LOCAL_SIZE / 2
  li t1, BYTES
  add s1, s0, t1
  li s2, -1
  jal ra, write
  fence
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  li s2, TURNS
turn:
  jal ra, write
  addi s2, s2, -1
  bnez s2, turn
  fence
  li t3, NHG_HOST_ROI_END
  sd x0, 0(t3)
  li a0, 0
  mv t0, s0
check:
  ld t2, 0(t0)
  addi t2, t2, -1 // the last turn wrote 1
  or a0, a0, t2
  addi t0, t0, 8
  bne t0, s1, check
  snez a0, a0
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
  .balign 32
write: // s2 to every word from s0 to s1
  mv t0, s0
1:
  sd s2, 0(t0)
  sd s2, 8(t0)
  sd s2, 16(t0)
  sd s2, 24(t0)
  sd s2, 32(t0)
  sd s2, 40(t0)
  sd s2, 48(t0)
  sd s2, 56(t0)
  addi t0, t0, LINE
  bne t0, s1, 1b
  ret
