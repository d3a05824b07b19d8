// SPDX-License-Identifier: Apache-2.0
// Broken on purpose: issues a request on an ID whose group was not taken. Adversarial mode stops with a message.
#include "test.h"
#include "ami.h"

  test_begin
  take_spm_way
  aload_at NHG_FAR_BASE, 3, 77, 0
  aload_at (NHG_FAR_BASE + 0x40), 3, 77, 8
  wait_any a0
  test_end
