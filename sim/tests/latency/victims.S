// SPDX-License-Identifier: Apache-2.0
//
// Before the checkpoint 6 lines of one set of L3 are written and 6 of another are read: with --warm-lines they fill these sets. The region writes the first
// line of all anew, then reads 8 other lines of each set: what they push out must be written back where it was written, and only there. Then all lines are
// compared. EXIT 0 = pass.
#include "platform.h"

#define STRIDE 0x40000 // 4 slices of 1,024 sets of a line
#define HELD 6
#define OTHERS 8
#define CLEAN_SET 0x100

  .section .text.start, "ax"
  .globl _start
_start:
  li s0, NHG_FAR_BASE
  li s1, STRIDE
  mv t0, s0
  li t1, HELD
write:
  sd t1, 8(t0)
  ld t2, CLEAN_SET(t0)
  add t0, t0, s1
  addi t1, t1, -1
  bnez t1, write
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  li t1, 100
  sd t1, 0(s0)
  mv t0, s0
  li t1, HELD
  mul t2, s1, t1
  add t0, t0, t2
  li t1, OTHERS
  li a0, 0
read:
  ld t2, 0(t0)
  or a0, a0, t2
  ld t2, CLEAN_SET(t0)
  or a0, a0, t2 // nobody has written there
  add t0, t0, s1
  addi t1, t1, -1
  bnez t1, read
  fence
  li t3, NHG_HOST_ROI_END
  sd a0, 0(t3)
  ld t2, 0(s0)
  addi t2, t2, -100
  or a0, a0, t2
  mv t0, s0
  li t1, HELD
check:
  ld t2, 8(t0)
  sub t2, t2, t1
  or a0, a0, t2
  add t0, t0, s1
  addi t1, t1, -1
  bnez t1, check
  snez a0, a0
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
