// SPDX-License-Identifier: Apache-2.0
// The SPM way: L2's after reset, taken and given back, its lines written back; what AMI instructions do without it; requests under way when it goes.
#include "test.h"
#include "ami.h"

#define SETS_BYTES 32768 // lines this far apart share their set in L2
#define LINES 10         // of a set: they fill all ways, dirty
#define SETS 6
#define LOCAL_DATA (NHG_LOCAL_BASE + 0x400000)
#define FAR_DATA NHG_FAR_BASE
#define SLOT_BYTES 64
#define REQUESTS 8

  // Stores to (or checks) LINES lines of SETS sets, half of them far: each word holds its address plus s4.
  .macro each_line body, number
  li s2, SETS
  li s3, 0
8001:
  li s5, LINES
  li t0, LOCAL_DATA
  li t1, FAR_DATA
  add t0, t0, s3
  add t1, t1, s3
8002:
  .irp base, t0, t1
  add t2, \base, s4
  \body \number, \base
  .endr
  li t3, SETS_BYTES
  add t0, t0, t3
  add t1, t1, t3
  addi s5, s5, -1
  bnez s5, 8002b
  addi s3, s3, 64
  addi s2, s2, -1
  bnez s2, 8001b
  .endm
  .macro store_word number, base
  sd t2, 8(\base)
  .endm
  .macro check_word number, base
  ld t4, 8(\base)
  check_same \number, t4, t2
  .endm

  .macro check_spm_is_zero number
  li t0, NHG_SPM_BASE
  li t1, NHG_SPM_BASE + NHG_SPM_SIZE
8003:
  ld t2, 0(t0)
  check_same \number, t2, x0
  addi t0, t0, 8
  bltu t0, t1, 8003b
  .endm

  test_begin
  // Without the way: window and requests fault and request nothing, everything else works.
  csrr a0, NHG_CSR_AMUCTL
  check_eq 1, a0, 1 << NHG_AMI_AMUCTL_ON_LSB
  li s0, NHG_SPM_BASE
  ld a0, 0(s0)
  check_trap 2, 5, NHG_SPM_BASE
  sd a0, 0(s0)
  check_trap 3, 7, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, SLOT_BYTES
  aload_at FAR_DATA, 3, 5, 0
  check_trap 4, 5, FAR_DATA
  astore_at FAR_DATA, 3, 5, 0
  check_trap 5, 7, FAR_DATA
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 6, a0, 0
  li t0, 0
  li t1, 9
  await t0, t1
  getfin a0
  check_eq 7, a0, 0
  asignal t1
  wait_any a0
  check_eq 8, a0, 9
  li t0, 5
  li t1, 2
  aset t0, t1                            // open until the way is there
  aload_at FAR_DATA, 3, 5, 0
  check_trap 9, 5, FAR_DATA

  // Taken from L2 when all its ways are dirty.
  li s4, 1
  each_line store_word, 0
  take_spm_way
  check_spm_is_zero 10
  each_line check_word, 11
  li s4, 2
  each_line store_word, 0
  li s0, NHG_SPM_BASE
  sd s0, 8 + SLOT_BYTES * 5(s0)
  ld a0, 8 + SLOT_BYTES * 5(s0)
  check_same 12, a0, s0
  aload_at FAR_DATA + 8, 3, 5, 0         // the group that waited for it
  aload_at FAR_DATA + 8, 3, 5, 16
  wait_any a0
  check_eq 13, a0, 5
  check_no_trap 14

  // Given back with nothing under way: L2 uses it, and it is zero again.
  give_spm_way_back
  li s4, 3
  each_line store_word, 0
  each_line check_word, 15
  ld a0, 0(s0)
  check_trap 16, 5, NHG_SPM_BASE
  take_spm_way
  check_spm_is_zero 17
  each_line check_word, 18

  // Given back under requests: they end first, what they stored is there, what they loaded is lost with the SPM; their groups are taken as ever.
  li s6, 12
again:
  li t0, 1
  li t1, NHG_SPM_BASE + SLOT_BYTES
1:
  add t2, t0, s6
  sd t2, 0(t1)
  addi t1, t1, SLOT_BYTES
  addi t0, t0, 1
  li t2, REQUESTS + 1
  bltu t0, t2, 1b
  li t0, 1
  li t1, (FAR_DATA + 0x800000) | SIZE_FIELD(3)
  li t2, FAR_DATA | SIZE_FIELD(6)
2:
  astore t1, t0
  addi t3, t0, REQUESTS
  aload t2, t3
  addi t1, t1, 64
  addi t2, t2, 64
  addi t0, t0, 1
  li t3, REQUESTS + 1
  bltu t0, t3, 2b
  give_spm_way_back
  li t0, 1
  li t1, FAR_DATA + 0x800000
3:
  ld t2, 0(t1)
  add t3, t0, s6
  check_same 20, t2, t3
  addi t1, t1, 64
  addi t0, t0, 1
  li t2, REQUESTS + 1
  bltu t0, t2, 3b
  csrr a0, NHG_CSR_AMUSTAT
  slli a0, a0, 48
  srli a0, a0, 48
  check_eq 21, a0, 2 * REQUESTS
  aload_at FAR_DATA, 3, 100, 0
  check_trap 22, 5, FAR_DATA
  andi t0, s6, 1                         // taken with the way and without it
  beqz t0, 4f
  take_spm_way
4:
  li s1, 2 * REQUESTS
5:
  wait_any a0
  addi s1, s1, -1
  bnez s1, 5b
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 23, a0, 0
  take_spm_way
  check_spm_is_zero 24
  addi s6, s6, -1
  bnez s6, again
  check_no_trap 25
  test_end
