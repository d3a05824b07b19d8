// SPDX-License-Identifier: Apache-2.0
// Restored, memory protection has its regions and locks; MPRV at the mark does not keep the stub from the boot ROM, which U may not read.
#include "test.h"
#include "modes.h"
#include "pmp.h"

#define PAGE (NHG_LOCAL_BASE + 0x700000)

  test_begin
  modes_begin
  region 4, NAPOT_ADDRESS(0, 0x10000), PMP_NAPOT | PMP_X // the boot ROM
  region 5, NAPOT_ADDRESS(PAGE, 0x1000), PMP_NAPOT | PMP_R | PMP_LOCKED
  region 15, NAPOT_ALL, PMP_NAPOT | PMP_RWX
  region_config 0, 0
  csrr s1, pmpcfg0
  csrr s2, pmpaddr4
  csrr s3, pmpaddr5
  csrr s4, pmpcfg2
  li s0, PAGE
  li t0, STATUS_MPRV
  li t1, NHG_HOST_CHECKPOINT
  li t2, STATUS_MPP
  csrc mstatus, t2 // U
  csrs mstatus, t0
  sd t1, 0(t1)
  csrr a0, mstatus
  and a0, a0, t0
  check_same 1, a0, t0
  csrc mstatus, t0
  .macro same number, csr, reg
  csrr a0, \csr
  check_same \number, a0, \reg
  .endm
  same 2, pmpcfg0, s1
  same 3, pmpaddr4, s2
  same 4, pmpaddr5, s3
  same 5, pmpcfg2, s4
  ld a0, 0(s0)
  check_no_trap 6
  sd a0, 0(s0)
  check_trap 7, 7, PAGE
  enter USER
  li s1, NHG_BOOT_ROM_BASE
  ld a0, 0(s1)
  check_trap 8, 5, NHG_BOOT_ROM_BASE
  to_machine
  test_end
  mode_handlers
