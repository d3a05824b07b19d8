// SPDX-License-Identifier: Apache-2.0
// Every load, store, LR, SC and AMO at every offset from 0 to 7: misaligned ones trap with their address, change nothing, and
// win over an access fault; in the middle and at the end of lines and pages, in every region of the memory map.
#include "test.h"

  // One access at a constant offset from s0. `alone`: the address has no memory behind it, or devices that take no such access.
  .macro access number, base, offset, bytes, cause, alone, op:vararg
  .if (\offset) % \bytes
  li a0, 99
  \op
  check_trap \number, \cause, \base + \offset
  check_eq \number, a0, 99
  .elseif !\alone
  \op
  check_no_trap \number
  .endif
  .endm

  .macro all_accesses number, base, alone, atomics
  li s0, \base
  li a1, 5
  .irp offset, 0, 1, 2, 3, 4, 5, 6, 7
  addi s1, s0, \offset
  access \number, \base, \offset, 1, 4, \alone, lb a0, \offset(s0)
  access \number, \base, \offset, 2, 4, \alone, lh a0, \offset(s0)
  access \number, \base, \offset, 2, 4, \alone, lhu a0, \offset(s0)
  access \number, \base, \offset, 4, 4, \alone, lw a0, \offset(s0)
  access \number, \base, \offset, 4, 4, \alone, lwu a0, \offset(s0)
  access \number, \base, \offset, 8, 4, \alone, ld a0, \offset(s0)
  access \number, \base, \offset, 2, 6, \alone, sh a1, \offset(s0)
  access \number, \base, \offset, 4, 6, \alone, sw a1, \offset(s0)
  access \number, \base, \offset, 8, 6, \alone, sd a1, \offset(s0)
  access \number, \base, \offset, 4, 4, !\atomics, lr.w a0, (s1)
  access \number, \base, \offset, 8, 4, !\atomics, lr.d a0, (s1)
  access \number, \base, \offset, 4, 6, !\atomics, sc.w a0, a1, (s1)
  access \number, \base, \offset, 8, 6, !\atomics, sc.d a0, a1, (s1)
  access \number, \base, \offset, 4, 6, !\atomics, amoadd.w a0, a1, (s1)
  access \number, \base, \offset, 8, 6, !\atomics, amomaxu.d a0, a1, (s1)
  .endr
  .endm

  // The doublewords at and behind the base are not changed by accesses that trap.
  .macro unchanged number, base
  li s0, \base
  li t0, 0x1122334455667788
  li a1, -1
  sd t0, 0(s0)
  sd t0, 8(s0)
  .irp offset, 1, 2, 3, 5, 6, 7
  sw a1, \offset(s0)
  sd a1, \offset(s0)
  addi s1, s0, \offset
  amoswap.w x0, a1, (s1)
  .endr
  li s11, 0
  ld a0, 0(s0)
  check_same \number, a0, t0
  ld a0, 8(s0)
  check_same \number, a0, t0
  .endm

  test_begin
  take_spm_way
  all_accesses 1, (NHG_LOCAL_BASE + 0x200000), 0, 1
  all_accesses 3, (NHG_LOCAL_BASE + 0x200ff8), 0, 1
  all_accesses 4, (NHG_FAR_BASE + 0xff8), 0, 1
  all_accesses 5, 0x2fffffff8, 0, 1
  all_accesses 6, NHG_SPM_BASE + 0x38, 0, 0
  all_accesses 7, NHG_SPM_BASE + NHG_SPM_SIZE - 8, 0, 0
  all_accesses 8, NHG_HOST_METRIC, 1, 0
  all_accesses 9, 0, 1, 0
  all_accesses 11, NHG_FAR_BASE + NHG_FAR_SIZE, 1, 0
  all_accesses 12, 0xffffffff80200000, 1, 0
  all_accesses 13, NHG_BOOT_ROM_BASE, 1, 0
  unchanged 20, (NHG_LOCAL_BASE + 0x200138)
  unchanged 21, (NHG_LOCAL_BASE + 0x201ff8)
  unchanged 22, (NHG_FAR_BASE + 0x2038)
  test_end
