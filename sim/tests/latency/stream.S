// SPDX-License-Identifier: Apache-2.0
//
// Reads every word of far memory in order, none of it in a cache. The region of interest is the last part, when L2's prefetcher has learned from
// the lines before it. The sum of all words, which are zero, must be zero. EXIT 0 = pass.
#include "platform.h"

#define LINE 64
#define LEARNED (6144 * LINE)
#define MEASURED (4096 * LINE)

  .section .text.start, "ax"
  .globl _start
_start:
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li t0, NHG_FAR_BASE
  li t1, LEARNED
  add t1, t0, t1
  li a0, 0
  jal ra, read
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  li t1, MEASURED
  add t1, t0, t1
  jal ra, read
  snez a0, a0 // the region ends when the last load has answered
  li t3, NHG_HOST_ROI_END
  sd a0, 0(t3)
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
read: // from t0 to t1, adds to a0
  ld t2, 0(t0)
  addi t0, t0, 8
  add a0, a0, t2
  bne t0, t1, read
  ret
