// SPDX-License-Identifier: Apache-2.0
// A wfi that nothing ends: the timer of M mode comes, but is not enabled.
#include "test.h"
#include "interrupts.h"

  test_begin
  set_timer 40
  li a0, 1 << MSI
  csrw mie, a0
  wfi
  test_end
