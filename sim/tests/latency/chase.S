// SPDX-License-Identifier: Apache-2.0
//
// Pointer chase through far memory: 64 nodes, one line each, 4160 bytes apart, so that no access shares a line, a page or
// a neighbouring set with the one before. Built before the checkpoint: the caches of the RTL are cold. The chase is a ring; its
// end must be its start. EXIT 0 = pass.
#include "platform.h"

#define NODES 64
#define STRIDE 4160

  .section .text.start, "ax"
  .globl _start
_start:
  li s0, NHG_FAR_BASE
  li s1, STRIDE
  li s2, NODES
  mv t0, s0
  li t1, 1
build:
  add t2, t0, s1
  bltu t1, s2, link
  mv t2, s0
link:
  sd t2, 0(t0)
  mv t0, t2
  addi t1, t1, 1
  bgeu s2, t1, build
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  mv t0, s0
  mv t1, s2
chase:
  ld t0, 0(t0)
  addi t1, t1, -1
  bnez t1, chase
  sub t0, t0, s0 // the region ends when the last load has answered
  snez a0, t0
  li t3, NHG_HOST_ROI_END
  sd a0, 0(t3)
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
