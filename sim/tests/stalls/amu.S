// SPDX-License-Identifier: Apache-2.0
// Requests for a line that a store has just missed in far memory: they wait until L1D has it, and the request queue is full until then.
#include "stalls.h"
#include "ami.h"
#define ROUNDS 8
#define IDS 128
  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  li s0, NHG_FAR_BASE
  li s1, ROUNDS
  li s2, SIZE_FIELD(3)
  li s3, 4160
  region_begin
1:sd s1, 0(s0)
  li t0, 1
  or t2, s0, s2
2:aload t2, t0
  addi t0, t0, 1
  li t1, IDS + 1
  bltu t0, t1, 2b
  li t0, IDS
3:wait_any t1
  addi t0, t0, -1
  bnez t0, 3b
  add s0, s0, s3
  addi s1, s1, -1
  bnez s1, 1b
  region_end
