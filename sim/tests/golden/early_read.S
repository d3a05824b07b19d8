// SPDX-License-Identifier: Apache-2.0
// Broken on purpose: reads a slot before its group is taken. Passes in order, must fail in adversarial mode.
#include "test.h"
#include "ami.h"

  test_begin
  take_spm_way
  li s0, NHG_FAR_BASE
  li t0, 42
  sd t0, 0(s0)
  aload_at NHG_FAR_BASE, 3, 1, 0
  li s1, NHG_SPM_BASE + 64
  ld a1, 0(s1)
  wait_any a0
  check_eq 1, a1, 42
  test_end
