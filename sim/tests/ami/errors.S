// SPDX-License-Identifier: Apache-2.0
// Every error code of rule 9, their priorities, and that an error requests nothing.
#include "test.h"
#include "ami.h"

#define FAR_DATA NHG_FAR_BASE
#define AMU_ERROR NHG_AMU_CAUSE

  // Runs one request expected to fail with `code`.
  .macro bad_request number, address, log2, id, offset, code
  aload_at \address, \log2, \id, \offset
  check_trap \number, AMU_ERROR, AMU_TVAL(\code, \id)
  astore_at \address, \log2, \id, \offset
  check_trap \number, AMU_ERROR, AMU_TVAL(\code, \id)
  csrr a0, NHG_CSR_AMUSTAT
  check_eq \number, a0, 0
  .endm

  .macro bad_config number, register, value, code
  configure \register, \value
  check_trap \number, AMU_ERROR, AMU_TVAL(\code, 0)
  .endm

  test_begin
  take_spm_way
  // 1 bad ID
  bad_request 1, FAR_DATA, 3, 0, 0, 1
  bad_request 2, FAR_DATA, 3, 512, 0, 1
  bad_request 3, FAR_DATA + 1, 13, 65535, 3, 1
  li t0, 512
  li t1, 0
  aset t0, t1
  check_trap 4, AMU_ERROR, AMU_TVAL(1, 512)
  li t0, 1 << 32 | 5
  li t1, 1
  aset t0, t1
  check_trap 5, AMU_ERROR, AMU_TVAL(1, 5)
  asignal t0
  check_trap 6, AMU_ERROR, AMU_TVAL(1, 5)
  asignal x0
  check_trap 7, AMU_ERROR, AMU_TVAL(1, 0)
  li t0, 600
  await x0, t0
  check_trap 8, AMU_ERROR, AMU_TVAL(1, 600)

  // 2 bad count
  li t0, 5
  aset t0, x0
  check_trap 9, AMU_ERROR, AMU_TVAL(2, 5)
  li t1, 64
  aset t0, t1
  check_trap 10, AMU_ERROR, AMU_TVAL(2, 5)
  li t1, 1 << 40
  aset t0, t1
  check_trap 11, AMU_ERROR, AMU_TVAL(2, 5)

  // 3 busy: waiting ID, outstanding request, open aset group and await
  await x0, t0
  aload_at FAR_DATA + 1, 15, 5, 1
  check_trap 12, AMU_ERROR, AMU_TVAL(3, 5)
  li t1, 1
  aset t0, t1
  check_trap 13, AMU_ERROR, AMU_TVAL(3, 5)
  aset t0, x0
  check_trap 14, AMU_ERROR, AMU_TVAL(2, 5)
  await x0, t0
  check_trap 15, AMU_ERROR, AMU_TVAL(3, 5)
  asignal t0
  wait_any a0
  check_eq 16, a0, 5
  aload_at FAR_DATA, 6, 5, 0
  check_no_trap 17
  aload_at FAR_DATA + 64, 6, 5, 0
  check_trap 18, AMU_ERROR, AMU_TVAL(3, 5)
  wait_any a0
  check_eq 19, a0, 5
  getfin a0
  check_eq 20, a0, 0
  li t1, 2
  aset t0, t1
  await x0, t0
  check_trap 21, AMU_ERROR, AMU_TVAL(3, 5)
  aload_at FAR_DATA, 3, 5, 0
  aset t0, t1
  check_trap 22, AMU_ERROR, AMU_TVAL(3, 5)
  aload_at FAR_DATA, 3, 5, 8
  check_no_trap 23
  wait_any a0
  check_eq 24, a0, 5

  // 4 bad size, before alignment
  bad_request 25, FAR_DATA + 1, 13, 5, 1, 4
  bad_request 26, FAR_DATA, 15, 511, 0, 4
  // 5 misaligned address, before offset
  bad_request 27, FAR_DATA + 1, 1, 5, 1, 5
  bad_request 28, FAR_DATA + 4, 3, 5, 0, 5
  bad_request 29, FAR_DATA + 4, 6, 5, 0, 5
  // 6 misaligned offset, before overrun
  bad_request 30, FAR_DATA, 3, 5, 68, 6
  bad_request 31, FAR_DATA, 1, 5, 1, 6
  // 7 slot overrun, before page crossing
  bad_request 32, FAR_DATA, 3, 5, 64, 7
  bad_request 33, FAR_DATA, 6, 5, 8, 7
  bad_request 34, FAR_DATA + 8, 12, 5, 0, 7
  configure NHG_AMU_CONFIG_SPM_SLOT, 4096
  bad_request 35, FAR_DATA, 0, 8, 0, 7
  aload_at FAR_DATA, 12, 7, 0
  wait_any a0
  check_eq 36, a0, 7
  check_no_trap 37
  // 8 page crossing
  bad_request 38, FAR_DATA + 8, 12, 5, 0, 8
  bad_request 39, FAR_DATA + 4096 - 8, 4, 5, 0, 8
  configure NHG_AMU_CONFIG_SPM_SLOT, 64

  // 11 reserved bits, last
  li t0, FAR_DATA | SIZE_FIELD(3)
  li t1, 1 << 32 | 5
  aload t0, t1
  check_trap 40, AMU_ERROR, AMU_TVAL(11, 5)
  addi t0, t0, 1
  astore t0, t1
  check_trap 41, AMU_ERROR, AMU_TVAL(5, 5)

  // 9, 10 aconfig
  bad_config 42, 6, 0, 9
  bad_config 43, 1 << 33, 0, 9
  bad_config 44, NHG_AMU_CONFIG_SPM_SLOT, 4, 10
  bad_config 45, NHG_AMU_CONFIG_SPM_SLOT, 8192, 10
  bad_config 46, NHG_AMU_CONFIG_SPM_SLOT, 96, 10
  bad_config 47, NHG_AMU_CONFIG_HANDLER_SIZE, 65536, 10
  bad_config 48, NHG_AMU_CONFIG_HANDLER_BASE, 1 << 38, 10
  bad_config 49, NHG_AMU_CONFIG_SPM_BASE, -(1 << 38) - 8, 10
  bad_config 50, NHG_AMU_CONFIG_TARGET_BASE, (NHG_LOCAL_BASE + 0x1), 10
  bad_config 56, NHG_AMU_CONFIG_POLL_WAIT, NHG_AMU_POLL_WAIT_MAX + 1, 10
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_POLL_WAIT
  check_eq 57, a0, NHG_AMU_POLL_WAIT_RESET
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_eq 51, a0, 64
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_TARGET_BASE
  check_eq 52, a0, 0
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 53, a0, 0

  // After all that the IDs still work.
  aload_at FAR_DATA, 3, 5, 0
  wait_any a0
  check_eq 54, a0, 5
  check_no_trap 55
  test_end
