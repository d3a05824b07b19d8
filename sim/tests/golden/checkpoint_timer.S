// SPDX-License-Identifier: Apache-2.0
// A checkpoint with a timer set, for which there is no place: refused with a message.
#include "test.h"

  test_begin
  li x31, NHG_CLINT_MTIMECMP
  sd x0, 0(x31)
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  test_end
