// SPDX-License-Identifier: Apache-2.0
// Device registers: loads that return the same again, loads to x0 and to a floating-point register, and the accesses that devices answer with
// error or that never reach them.
#include "test.h"

  test_begin
  li s0, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  li a1, 300
  sd a1, 0(s0)
  ld a0, 0(s0)
  check_same 1, a0, a1
  ld a0, 0(s0)
  check_same 2, a0, a1
  .option push
  .option norvc
  ld a0, 0(s0)
  .option pop
  check_same 3, a0, a1
  ld x0, 0(s0)
  li t0, 0x2000
  csrs mstatus, t0
  fld f1, 0(s0)
  fld f1, 0(s0)
  fmv.x.d a2, f1
  check_same 4, a2, a1
  li a1, 200
  fmv.d.x f2, a1
  fsd f2, 0(s0)
  ld a0, 0(s0)
  check_same 5, a0, a1
  check_no_trap 6

  // Sizes below eight bytes
  check_device_refuses 10, lb, sb, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  check_device_refuses 12, lhu, sh, (NHG_FAR_CONTROL_JITTER_AMPLITUDE + 2)
  check_device_refuses 14, lw, sw, (NHG_FAR_CONTROL_JITTER_AMPLITUDE + 4)
  flw f1, 0(s0)
  check_trap 16, 5, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  fsw f1, 0(s0)
  check_trap 17, 7, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  check_device_refuses 18, lbu, sb, (NHG_HOST_METRIC + 7)
  check_device_refuses 20, lwu, sw, NHG_HOST_METRIC
  // Regions that are the host's, and none
  check_device_refuses 22, ld, sd, NHG_LOCAL_CONTROL_BASE
  check_device_refuses 24, ld, sd, NHG_BOARD_BASE
  check_device_refuses 26, ld, sd, (NHG_DEVICES_BASE + 0x100000)
  // Misaligned, atomic, instruction fetch
  ld a0, 4(s0)
  check_trap 30, 4, (NHG_FAR_CONTROL_JITTER_AMPLITUDE + 4)
  sd a0, 1(s0)
  check_trap 31, 6, (NHG_FAR_CONTROL_JITTER_AMPLITUDE + 1)
  lr.d a0, (s0)
  check_trap 32, 5, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  sc.d a0, a1, (s0)
  check_trap 33, 7, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  amoadd.d a0, a1, (s0)
  check_trap 34, 7, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  la s6, 1f
  jr s0
1:check_trap 35, 1, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  // None of these changed the register.
  ld a0, 0(s0)
  check_same 36, a0, a1
  sd x0, 0(s0)
  check_no_trap 37
  test_end
