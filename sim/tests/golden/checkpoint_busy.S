// SPDX-License-Identifier: Apache-2.0
// A checkpoint with a group outstanding: refused with a message.
#include "test.h"
#include "ami.h"

  test_begin
  take_spm_way
  aload_at NHG_FAR_BASE, 3, 5, 0
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  wait_any a0
  test_end
