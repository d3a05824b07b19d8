// SPDX-License-Identifier: Apache-2.0
// State before the mark must be there after a restore: registers, CSRs, AMU configuration, SPM, both memories.
#include "test.h"
#include "ami.h"

#define LOCAL_DATA (NHG_LOCAL_BASE + 0x500008)
#define FAR_DATA (NHG_FAR_BASE + 0xc0000ff0)

  test_begin
  take_spm_way
  li t0, LOCAL_DATA
  li t1, FAR_DATA
  li t2, 0x1234
  sd t2, 0(t0)
  sd t2, 0(t1)
  configure NHG_AMU_CONFIG_HANDLER_BASE, (NHG_LOCAL_BASE + 0x600000)
  configure NHG_AMU_CONFIG_HANDLER_SIZE, 48
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 128
  configure NHG_AMU_CONFIG_TARGET_BASE, NHG_LOCAL_BASE
  configure NHG_AMU_CONFIG_POLL_WAIT, 77
  li t0, NHG_SPM_BASE + NHG_SPM_SIZE - 8
  li t1, 0x5678
  sd t1, 0(t0)
  li t0, 77
  csrw mscratch, t0
  li t0, 13
  csrw mcause, t0
  csrw mtval, t0
  csrsi mstatus, 8
  csrwi mie, 8
  // Register i holds 1000 + i, except the test's own s10, s11, x31.
  .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30
  li x\n, 1000 + \n
  .endr
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  li x30, NHG_HOST_CHECKPOINT
  check_same 1, x30, x31
  li x30, 1030
  .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30
  check_eq 10 + \n, x\n, 1000 + \n
  .endr
  csrr a0, mscratch
  check_eq 50, a0, 77
  csrr a0, mcause
  check_eq 51, a0, 13
  csrr a0, mtval
  check_eq 52, a0, 13
  csrr a0, mstatus
  andi a0, a0, 8
  check_eq 53, a0, 8
  csrr a0, mie
  check_eq 54, a0, 8
  csrr a0, mtvec
  la a1, test_trap
  check_same 55, a0, a1
  li t0, LOCAL_DATA
  ld a0, 0(t0)
  check_eq 56, a0, 0x1234
  li t0, FAR_DATA
  ld a0, 0(t0)
  check_eq 57, a0, 0x1234
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_BASE
  check_eq 58, a0, (NHG_LOCAL_BASE + 0x600000)
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_HANDLER_SIZE
  check_eq 59, a0, 48
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_BASE
  check_eq 60, a0, NHG_SPM_BASE
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_SPM_SLOT
  check_eq 61, a0, 128
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_TARGET_BASE
  check_eq 62, a0, NHG_LOCAL_BASE
  csrr a0, NHG_CSR_AMUCFG0 + NHG_AMU_CONFIG_POLL_WAIT
  check_eq 9, a0, 77
  li t0, NHG_SPM_BASE + NHG_SPM_SIZE - 8
  ld a0, 0(t0)
  check_eq 63, a0, 0x5678
  aload_at FAR_DATA, 3, 5, 0
  wait_any a0
  check_eq 64, a0, 5
  la sp, __stack_top
  csrci mstatus, 8
  li s11, 0
  ecall
  check_trap 65, 11, 0
  test_end
