// SPDX-License-Identifier: Apache-2.0
//
// One request at a time, and polls by bafin until its group has finished: TURNS times without `poll_wait`, with more of it than the memory needs (the region
// of interest), and with SHORT cycles of it. EXIT 0 = pass: every group was taken, and the polls were as many as the wait allows.
#include "ami.h"
#include "platform.h"

#define TURNS 8
#define SHORT 50
#define ID 3

  .macro between value, lowest, highest
  li t0, \lowest
  bltu \value, t0, bad
  li t0, \highest
  bgtu \value, t0, bad
  .endm

  .section .text.start, "ax"
  .globl _start
_start:
  csrsi NHG_CSR_AMUCTL, 1 << NHG_AMI_AMUCTL_SPM_WAY_LSB
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  la t0, taken
  li t1, NHG_AMU_CONFIG_TARGET_BASE
  aconfig t0, t1
  configure NHG_AMU_CONFIG_POLL_WAIT, 0
  jal ra, requests
  mv s3, s2
  configure NHG_AMU_CONFIG_POLL_WAIT, 4096
  li t3, NHG_HOST_ROI_BEGIN
  sd x0, 0(t3)
  jal ra, requests
  li t3, NHG_HOST_ROI_END
  sd x0, 0(t3)
  mv s4, s2
  configure NHG_AMU_CONFIG_POLL_WAIT, SHORT
  jal ra, requests
  // 100 ns are 300 cycles and the way, a poll two. While the request is on its way to commit, no group is outstanding, and polls do not wait: about 12.
  between s3, 100 * TURNS, 250 * TURNS
  between s4, 1 * TURNS, 16 * TURNS
  between s2, 12 * TURNS, 24 * TURNS
  li a0, 0
  j exit
bad:
  li a0, 1
exit:
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop

  .balign 32
requests: // s2: the polls that found nothing, in TURNS requests
  li s1, TURNS
  li s2, 0
  li s0, NHG_FAR_BASE
turn:
  li t0, SIZE_FIELD(3)
  or t0, t0, s0
  li t1, ID
  aload t0, t1
poll:
  bafin t2
  addi s2, s2, 1
  j poll
taken:
  addi s0, s0, 64
  addi s1, s1, -1
  bnez s1, turn
  ret
