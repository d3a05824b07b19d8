// SPDX-License-Identifier: Apache-2.0
// CSRs and aconfig: reset values, read-back, read-only CSRs, AMU switched off.
#include "test.h"
#include "ami.h"

  test_begin
  csrr a0, NHG_CSR_AMUCAP
  check_eq 1, a0, 0x00000005100001ff
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 2, a0, 0
  csrr a0, NHG_CSR_AMUCTL
  check_eq 3, a0, 1
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_BASE
  check_eq 4, a0, 0
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_eq 5, a0, 64

  configure NHG_AMU_CONFIG_HANDLER_BASE, 0x3ffffffff8
  configure NHG_AMU_CONFIG_HANDLER_SIZE, 65535
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 4096
  configure NHG_AMU_CONFIG_TARGET_BASE, (NHG_LOCAL_BASE + 0x2)
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_BASE
  check_eq 6, a0, 0x3ffffffff8
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_SIZE
  check_eq 7, a0, 65535
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_BASE
  check_eq 8, a0, NHG_SPM_BASE
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_eq 9, a0, 4096
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_TARGET_BASE
  check_eq 10, a0, (NHG_LOCAL_BASE + 0x2)
  configure NHG_AMU_CONFIG_SPM_SLOT, 8
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_eq 11, a0, 8
  check_no_trap 12

  // Read-only: a write is illegal, a csrrs with x0 is a read.
  csrrs a0, NHG_CSR_AMUCAP, x0
  check_no_trap 13
  csrw NHG_CSR_AMUCAP, x0
  check_trap 14, 2, 0xcc001073

  // Off: instructions and CSRs are illegal, amuctl is not.
  csrwi NHG_CSR_AMUCTL, 0
  getfin a0
  check_trap 15, 2, 0x0000250b
  csrr a0, NHG_CSR_AMUSTAT
  check_trap 16, 2, 0xcc102573
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_trap 17, 2, 0xcc502573
  csrr a0, NHG_CSR_AMUCTL
  check_eq 18, a0, 0
  csrwi NHG_CSR_AMUCTL, 1
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_eq 19, a0, 8
  getfin a0
  check_eq 20, a0, 0
  check_no_trap 21

  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_POLL_WAIT
  check_eq 22, a0, NHG_AMU_POLL_WAIT_RESET
  configure NHG_AMU_CONFIG_POLL_WAIT, NHG_AMU_POLL_WAIT_MAX
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_POLL_WAIT
  check_eq 23, a0, NHG_AMU_POLL_WAIT_MAX
  configure NHG_AMU_CONFIG_POLL_WAIT, 0
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_POLL_WAIT
  check_eq 24, a0, 0
  check_no_trap 25
  test_end
