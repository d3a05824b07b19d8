// SPDX-License-Identifier: Apache-2.0
// Polls until the one request that is on its way has finished.
#include "stalls.h"
#include "ami.h"
#define ROUNDS 20
  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  li s0, NHG_FAR_BASE | SIZE_FIELD(3)
  li s1, ROUNDS
  li s2, 1
  li s3, 4160
  region_begin
1:aload s0, s2
  wait_any t0
  add s0, s0, s3
  addi s1, s1, -1
  bnez s1, 1b
  region_end
