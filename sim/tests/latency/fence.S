// SPDX-License-Identifier: Apache-2.0
//
// An sfence.vma behind GROUPS requests of the AMU for 8 bytes of far memory each, a line each (the region of interest). EXIT 0 = pass: all groups can be
// taken afterwards.
#include "ami.h"

#define GROUPS 511

  .section .text.start, "ax"
  .globl _start
_start:
  csrsi NHG_CSR_AMUCTL, 1 << NHG_AMI_AMUCTL_SPM_WAY_LSB | 1 << NHG_AMI_AMUCTL_ON_LSB
  li t3, NHG_HOST_CHECKPOINT
  sd x0, 0(t3)
  li s0, NHG_FAR_BASE | SIZE_FIELD(3)
  li s1, 1 // ID
  li s2, GROUPS
  li t3, NHG_HOST_ROI_BEGIN
1:bgtu s1, s2, 2f
  aload s0, s1
  addi s0, s0, 64
  addi s1, s1, 1
  j 1b
2:sd x0, 0(t3)
  sfence.vma
  li a0, 0
  li t3, NHG_HOST_ROI_END
  sd a0, 0(t3)
3:beqz s2, 4f
  wait_any a1
  addi s2, s2, -1
  j 3b
4:getfin a0
  snez a0, a0
  li t3, NHG_HOST_EXIT
  sd a0, 0(t3)
stop:
  j stop
