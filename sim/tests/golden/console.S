// SPDX-License-Identifier: Apache-2.0
// Prints one line. In lock-step the core prints it, the golden model does not print it again.
#include "test.h"

  test_begin
  li s0, NHG_HOST_PUTC
  .irpc c, hello
  li t0, '\c'
  sd t0, 0(s0)
  .endr
  li t0, 10
  sd t0, 0(s0)
  test_end
