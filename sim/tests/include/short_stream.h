// SPDX-License-Identifier: Apache-2.0
//
// Reads every word of memory from BASE on in order, none of it in a cache. The region of interest begins soon after reset: L2's prefetcher has seen
// 256 lines. EXIT 0.
#ifndef NHG_TEST_SHORT_STREAM_H
#define NHG_TEST_SHORT_STREAM_H

#include "platform.h"

#define LINE 64
#define BEFORE (256 * LINE)
#define MEASURED (4096 * LINE)

  .section .text.start, "ax"
  .globl _start
_start:
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li t0, BASE
  li t1, BEFORE
  add t1, t0, t1
  jal ra, read
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  li t1, MEASURED
  add t1, t0, t1
  jal ra, read
  fence // the region ends when the last load has answered
  li t3, NHG_HOST_ROI_END
  sd x0, 0(t3)
  li t3, NHG_HOST_EXIT
  sd x0, 0(t3)
stop:
  j stop
read: // from t0 to t1
  .irp n, 0, 1, 2, 3, 4, 5, 6, 7
  ld a\n, 8 * \n(t0)
  .endr
  add a0, a0, a1
  add a2, a2, a3
  add a4, a4, a5
  add a6, a6, a7
  addi t0, t0, LINE
  bne t0, t1, read
  ret

#endif
