// SPDX-License-Identifier: Apache-2.0
// An astore to the word of an LR ends the reservation: no SC hides what it wrote.
#include "test.h"
#include "ami.h"

#define WORD (NHG_LOCAL_BASE + 0x400040)
#define SLOT (NHG_SPM_BASE + 64) // of ID 1

  .macro begin log2, offset
  li t0, 1000
  sd x0, 0(s1)
  sw t0, \offset(s1)
  sd x0, 0(s0)
  fence
  li s2, (WORD + \offset) | SIZE_FIELD(\log2)
  li s3, REQUEST(1, \offset)
  .endm

  .macro all_gaps gap
  // The astore is done before the SC: it fails.
  begin 3, 0
  lr.d a0, (s0)
  astore s2, s3
  wait_any a5
  addi a1, a0, 1
  sc.d a2, a1, (s0)
  check_eq 1, a2, 1
  ld a3, 0(s0)
  check_eq 2, a3, 1000

  // It writes half of the word.
  begin 2, 4
  lr.d a0, (s0)
  astore s2, s3
  wait_any a5
  addi a1, a0, 1
  sc.d a2, a1, (s0)
  check_eq 3, a2, 1
  lw a3, 4(s0)
  check_eq 4, a3, 1000

  // It may be done before the SC or behind it, and is not lost.
  begin 3, 0
  lr.d a0, (s0)
  astore s2, s3
  .rept \gap
  nop
  .endr
  addi a1, a0, 1
  sc.d a2, a1, (s0)
  wait_any a5
  fence
  ld a3, 0(s0)
  check_eq 5, a3, 1000

  // Again until the SC succeeds: it adds to what the astore left, or the astore came last.
  begin 3, 0
  astore s2, s3
9980:
  lr.d a0, (s0)
  addi a1, a0, 1
  sc.d a2, a1, (s0)
  bnez a2, 9980b
  wait_any a5
  fence
  ld a3, 0(s0)
  snez a0, a0
  li a4, 1000
  add a4, a4, a0
  check_same 6, a3, a4
  .endm

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  li s0, WORD
  li s1, SLOT
  .irp gap, 0, 1, 2, 5, 10, 20, 40, 60, 80
  all_gaps \gap
  .endr
  check_no_trap 7
  test_end
