// SPDX-License-Identifier: Apache-2.0
// Registers of the CLINT: each size, each lane, what is read only or not there; and the lines in mip that follow them.
#include "test.h"
#include "modes.h"
#include "interrupts.h"

  test_begin
  li s0, NHG_CLINT_MTIMECMP
  ld a0, 0(s0)
  check_eq 1, a0, -1
  check_pending 2, 0
  li a1, 0x8877665544332211
  sd a1, 0(s0)
  ld a0, 0(s0)
  check_same 3, a0, a1
  lw a0, 4(s0)
  check_eq 4, a0, 0xffffffff88776655
  lwu a0, 4(s0)
  check_eq 5, a0, 0x88776655
  lhu a0, 2(s0)
  check_eq 6, a0, 0x4433
  lb a0, 7(s0)
  check_eq 7, a0, -0x78
  lbu a0, 5(s0)
  check_eq 8, a0, 0x66
  li a1, 0xa5
  sb a1, 1(s0)
  sh a1, 6(s0)
  ld a0, 0(s0)
  check_eq 9, a0, 0x00a566554433a511
  sw a1, 4(s0)
  ld a0, 0(s0)
  check_eq 10, a0, 0x000000a54433a511
  li t0, 0x2000
  csrs mstatus, t0
  flw f1, 0(s0)
  fmv.x.w a0, f1
  check_eq 11, a0, 0x4433a511
  fsw f1, 4(s0)
  ld a0, 0(s0)
  check_eq 12, a0, 0x4433a5114433a511

  // msip has one bit; the other half of its word is zero
  li s1, NHG_CLINT_MSIP
  li a1, -1
  sd a1, 0(s1)
  ld a0, 0(s1)
  check_eq 20, a0, 1
  check_pending 21, 1 << MSI
  sw a1, 4(s1)
  sb a1, 1(s1)
  lw a0, 4(s1)
  check_eq 22, a0, 0
  sb x0, 0(s1)
  lhu a0, 0(s1)
  check_eq 23, a0, 0
  check_pending 24, 0

  // Time goes on from what is written, and CSR time is the same
  li s2, NHG_CLINT_MTIME
  ld a0, 0(s2)
  rdtime a1
  ld a2, 0(s2)
  li s10, 30
  bltu a1, a0, test_fail
  bltu a2, a1, test_fail
  li a0, 0x123456789ab00000
  sd a0, 0(s2)
  rdtime a1
  sub a1, a1, a0
  li s10, 31
  li x31, 2
  bgtu a1, x31, test_fail
  sw x0, 4(s2)
  rdtime a1
  srli a1, a1, 32
  check_eq 32, a1, 0

  // The timer is pending from mtimecmp on, as unsigned numbers; mip's lines are read only
  li a1, -1
  sd a1, 0(s0)
  check_pending 40, 0
  sd x0, 0(s0)
  check_pending 41, 1 << MTI
  csrc mip, a1
  check_pending 42, 1 << MTI
  rdtime a0
  addi a0, a0, 3
  sd a0, 0(s0)
  check_pending 43, 0
1:csrr a1, mip
  beqz a1, 1b
  rdtime a2
  li s10, 44
  bltu a2, a0, test_fail
  li a1, -1
  sd a1, 0(s0)
  csrs mip, a1
  check_pending 45, SUPERVISOR_INTERRUPTS
  csrw mip, x0
  check_pending 46, 0

  // What is not there, misaligned and atomic accesses
  check_device_refuses 50, ld, sd, NHG_CLINT_BASE + 8
  check_device_refuses 52, lw, sw, NHG_CLINT_MTIMECMP + 8
  check_device_refuses 54, lb, sb, NHG_CLINT_MTIME - 1
  check_device_refuses 56, lhu, sh, NHG_CLINT_BASE + NHG_CLINT_SIZE - 2
  check_device_refuses 58, ld, sd, NHG_CLINT_BASE + NHG_CLINT_SIZE
  li a1, NHG_CLINT_MSIP
  amoadd.w a0, a1, (a1)
  check_trap 60, 7, NHG_CLINT_MSIP
  lr.d a0, (s0)
  check_trap 61, 5, NHG_CLINT_MTIMECMP
  lw a0, 2(s1)
  check_trap 62, 4, NHG_CLINT_MSIP + 2
  ld a0, 0(s0)
  check_eq 63, a0, -1
  check_no_trap 64
  test_end
