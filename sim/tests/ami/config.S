// SPDX-License-Identifier: Apache-2.0
// CSRs and aconfig: reset values, read-back, read-only CSRs, AMU switched off.
#include "test.h"
#include "ami.h"

  test_begin
  csrr a0, AMU_CAP
  check_eq 1, a0, 0x00000001100001ff
  csrr a0, AMU_STAT
  check_eq 2, a0, 0
  csrr a0, AMU_CTL
  check_eq 3, a0, 3
  csrr a0, AMU_CFG0 + HANDLER_BASE
  check_eq 4, a0, 0
  csrr a0, AMU_CFG0 + SPM_SLOT
  check_eq 5, a0, 64

  configure HANDLER_BASE, 0x7ffffffff8
  configure HANDLER_SIZE, 65535
  configure SPM_BASE, NHG_SPM_BASE
  configure SPM_SLOT, 4096
  configure TARGET_BASE, 0x80000002
  csrr a0, AMU_CFG0 + HANDLER_BASE
  check_eq 6, a0, 0x7ffffffff8
  csrr a0, AMU_CFG0 + HANDLER_SIZE
  check_eq 7, a0, 65535
  csrr a0, AMU_CFG0 + SPM_BASE
  check_eq 8, a0, NHG_SPM_BASE
  csrr a0, AMU_CFG0 + SPM_SLOT
  check_eq 9, a0, 4096
  csrr a0, AMU_CFG0 + TARGET_BASE
  check_eq 10, a0, 0x80000002
  configure SPM_SLOT, 8
  csrr a0, AMU_CFG0 + SPM_SLOT
  check_eq 11, a0, 8
  check_no_trap 12

  // Read-only: a write is illegal, a csrrs with x0 is a read.
  csrrs a0, AMU_CAP, x0
  check_no_trap 13
  csrw AMU_CAP, x0
  check_trap 14, 2, 0xcc001073

  // Off: instructions and CSRs are illegal, amuctl is not.
  csrwi AMU_CTL, 2
  getfin a0
  check_trap 15, 2, 0x0000250b
  csrr a0, AMU_STAT
  check_trap 16, 2, 0xcc102573
  csrr a0, AMU_CFG0 + SPM_SLOT
  check_trap 17, 2, 0xcc502573
  csrr a0, AMU_CTL
  check_eq 18, a0, 2
  csrwi AMU_CTL, 3
  csrr a0, AMU_CFG0 + SPM_SLOT
  check_eq 19, a0, 8
  getfin a0
  check_eq 20, a0, 0
  check_no_trap 21
  test_end
