// SPDX-License-Identifier: Apache-2.0
//
// Readings of cycle and instret among instructions that do not need them: TURNS times both in each 16 instructions (the region of interest). A reading
// takes part in program order: around a load of far memory two of cycle are its latency apart, and instret counts what lies between two of it.
// EXIT 0 = pass.
#include "platform.h"

#define TURNS 256
#define LATENCY_CYCLES 300

  .section .text.start, "ax"
  .globl _start
_start:
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li s1, TURNS
  li s2, 0
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  .balign 32
turn:
  rdcycle t0
  rdinstret t1
  sub t2, t0, t1
  xor s2, s2, t2
  .irp n, 3,4,5,6,7,8,9,10,11,3
  addi s\n, s\n, 1
  .endr
  addi s1, s1, -1
  bnez s1, turn
  li t3, NHG_HOST_ROI_END
  sd x0, 0(t3)

  li s1, NHG_FAR_BASE
  li a0, 1
  rdcycle t0
  ld t2, 0(s1)
  rdcycle t1
  sub t1, t1, t0
  li t2, LATENCY_CYCLES
  bltu t1, t2, exit
  rdinstret t0
  ld t2, 64(s1)
  addi t2, t2, 1
  beqz x0, counted
  addi t2, t2, 1
counted:
  rdinstret t1
  sub t1, t1, t0
  addi t1, t1, -4
  bnez t1, exit
  li a0, 0
exit:
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
