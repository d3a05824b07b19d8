// SPDX-License-Identifier: Apache-2.0
// Syscon: it reads 0, takes each size, and only its values of 16 bits or more end the program. Exit code 0 comes from there.
#include "test.h"

  .macro put store, offset, value
  li x30, \value
  \store x30, \offset(t0)
  .endm

  test_begin
  li t0, NHG_SYSCON_POWER
  put sw, 0, 0
  put sd, 0, NHG_SYSCON_POWER_OFF + 1
  put sb, 0, NHG_SYSCON_POWER_OFF
  put sh, 2, NHG_SYSCON_POWER_OFF
  put sw, 4, NHG_SYSCON_POWER_OFF
  lw a0, 0(t0)
  check_eq 1, a0, 0
  ld a0, 0(t0)
  check_eq 2, a0, 0
  lbu a0, 5(t0)
  check_eq 3, a0, 0
  check_no_trap 4
  check_device_refuses 5, ld, sd, NHG_SYSCON_POWER + 8
  check_device_refuses 7, lb, sb, NHG_SYSCON_BASE + NHG_SYSCON_SIZE - 1
  li t0, NHG_SYSCON_POWER
  put sw, 0, NHG_SYSCON_POWER_OFF
  li s10, 9
  j test_fail
  test_end
