// SPDX-License-Identifier: Apache-2.0
// Restored, the SPM way is L2's as it was at the mark; what the SPM held before is lost.
#include "test.h"
#include "ami.h"

  test_begin
  take_spm_way
  li s0, NHG_SPM_BASE
  sd s0, 64(s0)
  give_spm_way_back
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  csrr a0, NHG_CSR_AMUCTL
  check_eq 1, a0, 1 << NHG_AMI_AMUCTL_ON_LSB
  ld a0, 64(s0)
  check_trap 2, 5, NHG_SPM_BASE + 64
  take_spm_way
  ld a0, 64(s0)
  check_eq 3, a0, 0
  check_no_trap 4
  test_end
