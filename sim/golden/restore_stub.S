// SPDX-License-Identifier: Apache-2.0
//
// Runs from the boot ROM when a core starts from a checkpoint: copies the SPM image, restores AMU
// configuration, CSRs, f0..f31 and x1..x31 from the state page, and continues at the saved pc.
//
// The last jump is an mret to the saved mode, so mepc, mstatus.MPP and MPIE are not restored: the checkpoint mark must
// not be placed in a handler of machine mode.
#include "ami_instructions.h"
#include "checkpoint_format.h"

#define MSTATUS_FS_DIRTY (3 << 13)

  .section .text
  .option norvc
  .globl _start
_start:
  li x31, NHG_STATE_PAGE

  // The SPM as the program had it, and the AMU on: aconfig is illegal otherwise.
  ld x1, NHG_STATE_AMUCTL(x31)
  ori x1, x1, 1 << NHG_AMI_AMUCTL_ON_LSB
  csrw NHG_CSR_AMUCTL, x1

  ld x1, NHG_STATE_SPM_BYTES(x31)
  li x2, NHG_STATE_SPM
  li x3, NHG_SPM_BASE
  add x4, x2, x1
copy_spm:
  beq x2, x4, spm_done
  ld x5, 0(x2)
  sd x5, 0(x3)
  addi x2, x2, 8
  addi x3, x3, 8
  j copy_spm
spm_done:

  .macro configure number
  ld x1, (NHG_STATE_AMUCFG + 8 * \number)(x31)
  li x2, \number
  aconfig x1, x2
  .endm
  configure 0
  configure 1
  configure 2
  configure 3
  configure 4
  configure 5

  .macro restore_csr csr, offset
  ld x1, \offset(x31)
  csrw \csr, x1
  .endm
  restore_csr NHG_CSR_AMUCTL, NHG_STATE_AMUCTL
  .set state_csr, NHG_STATE_CSRS
  .macro restore_next number
  restore_csr \number, state_csr
  .set state_csr, state_csr + 8
  .endm
#define RESTORE(name, number, write, read) restore_next number;
  NHG_RESTORED_CSRS(RESTORE)
  restore_csr mepc, NHG_STATE_PC

  li x1, MSTATUS_FS_DIRTY
  csrs mstatus, x1
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  fld f\n, (NHG_STATE_F + 8 * \n)(x31)
  .endr
  restore_csr fcsr, NHG_STATE_FCSR

  restore_csr mstatus, NHG_STATE_MSTATUS
  .irp n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  ld x\n, (NHG_STATE_X + 8 * \n)(x31)
  .endr
  mret
