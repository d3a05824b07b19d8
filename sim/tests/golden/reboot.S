// SPDX-License-Identifier: Apache-2.0
// Syscon is asked for a reboot: the program ends with exit code NHG_EXIT_STATUS_REBOOT.
#include "test.h"

  test_begin
  li t0, NHG_SYSCON_POWER
  li t1, NHG_SYSCON_REBOOT
  sh t1, 0(t0)
  j test_fail
  test_end
