// SPDX-License-Identifier: Apache-2.0
// Restored, there are all four triggers, and none of them fires on what the restore stub does.
#include "test.h"

#define LOAD 1
#define STORE 2
#define MACHINE_MODE (1 << 6)
#define TYPE (2 << 60)
#define BELOW (3 << 7)
#define STATUS_MIE 8

  .macro trigger number, address, control
  csrwi tselect, \number
  li a0, \address
  csrw tdata2, a0
  li a0, \control | MACHINE_MODE
  csrw tdata1, a0
  .endm
  .macro check_trigger number, address, control
  csrwi tselect, \number
  csrr a0, tdata1
  check_eq 10 + \number, a0, TYPE | \control | MACHINE_MODE
  csrr a0, tdata2
  check_eq 20 + \number, a0, \address
  .endm

  test_begin
  trigger 0, (NHG_LOCAL_BASE + 0x700000), STORE
  trigger 1, (NHG_LOCAL_BASE + 0x700008), LOAD
  trigger 2, NHG_SPM_BASE, (LOAD | STORE | BELOW) // all devices and the boot ROM
  trigger 3, 0x1234, 0
  csrwi tselect, 1
  li s0, NHG_LOCAL_BASE + 0x700000
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  csrr a0, tselect
  check_eq 1, a0, 1
  csrsi mstatus, STATUS_MIE // else none fires in M mode
  ld a0, 8(s0)
  check_trap 2, 3, (NHG_LOCAL_BASE + 0x700008)
  sd a0, 0(s0)
  check_trap 3, 3, (NHG_LOCAL_BASE + 0x700000)
  ld a0, 0(s0)
  sd a0, 8(s0)
  check_no_trap 4
  csrci mstatus, STATUS_MIE
  check_trigger 0, (NHG_LOCAL_BASE + 0x700000), STORE
  check_trigger 1, (NHG_LOCAL_BASE + 0x700008), LOAD
  check_trigger 2, NHG_SPM_BASE, (LOAD | STORE | BELOW)
  check_trigger 3, 0x1234, 0
  test_end
