// SPDX-License-Identifier: Apache-2.0
//
// New code whose store waits in an L1D MSHR behind a line that an AMU store keeps from being fetched: fence.i waits for it.
#include "test.h"
#include "ami.h"

#define CODE_LINE (NHG_LOCAL_BASE + 0x400000)
#define FAR_LINE (NHG_FAR_BASE + 0x400000)
#define ADDI_A0 0x00050513
#define RET 0x00008067

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 64

  li s0, CODE_LINE
  li s1, FAR_LINE
  li s2, FAR_LINE | SIZE_FIELD(3)
  li s3, 1
  li s4, 0
  li t0, RET
  sw t0, 4(s0)

  // Line in L2 but not in L1D: it was fetched after it was written.
  .macro patch_and_call number, gap
  astore s2, s3
  .rept \gap
  nop
  .endr
  prefetch.r 0(s1)
  addi s4, s4, 1
  slli t0, s4, 20
  li t1, ADDI_A0
  or t0, t0, t1
  li a0, 0
  sw t0, 0(s0)
  fence.i
  jalr s0
  check_same \number, a0, s4
  wait_any a1
  addi s1, s1, 64
  addi s2, s2, 64
  .endm

  .irp gap, 0,4,8,12,16,20,24,28,32,40,60,100,200
  patch_and_call 1, \gap
  .endr
  test_end
