// SPDX-License-Identifier: Apache-2.0
//
// Reads every word of memory from BASE on in order, none of it in a cache; a turn of the loop reads into WORDS, registers. The region of interest is the
// last part, when L2's prefetcher has seen BEFORE lines. The sum of all words, which are zero, must be zero. EXIT 0 = pass.
#ifndef NHG_TEST_STREAM_H
#define NHG_TEST_STREAM_H

#include "platform.h"

#define LINE 64
#define MEASURED (4096 * LINE)

  .section .text.start, "ax"
  .globl _start
_start:
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li t0, BASE
  li t1, BEFORE * LINE
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
  .set offset, 0
  .irp word, WORDS
  ld \word, offset(t0)
  .set offset, offset + 8
  .endr
  addi t0, t0, offset
  .irp word, WORDS
  add a0, a0, \word
  .endr
  bne t0, t1, read
  ret

#endif
