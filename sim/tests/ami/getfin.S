// SPDX-License-Identifier: Apache-2.0
// All 511 IDs in flight: every one is taken exactly once, with its data; amustat counts them.
#include "test.h"
#include "ami.h"

#define FAR_DATA NHG_FAR_BASE
#define MAX_ID NHG_AMU_MAX_ID

  test_begin
  take_spm_way
  getfin a0
  check_eq 1, a0, 0

  // far[id] = 3 * id + 1, 64 bytes apart
  li s0, FAR_DATA
  li t0, 1
1:slli t1, t0, 6
  add t1, t1, s0
  slli t2, t0, 1
  add t2, t2, t0
  addi t2, t2, 1
  sd t2, 0(t1)
  addi t0, t0, 1
  li t3, MAX_ID + 1
  blt t0, t3, 1b

  li t0, 1
2:slli t1, t0, 6
  add t1, t1, s0
  li t2, SIZE_FIELD(3)
  or t1, t1, t2
  aload t1, t0
  addi t0, t0, 1
  blt t0, t3, 2b
  csrr a0, NHG_CSR_AMUSTAT
  slli a0, a0, 48
  srli a0, a0, 48
  check_eq 2, a0, MAX_ID

  // Take them all: the flag byte of an ID must be 0 before, the data 3 * id + 1.
  li s1, MAX_ID
  la s2, taken
  li s3, NHG_SPM_BASE
3:wait_any a0
  bgeu a0, t3, bad_id
  add t1, s2, a0
  lbu t2, 0(t1)
  check_eq 3, t2, 0
  li t2, 1
  sb t2, 0(t1)
  slli t1, a0, 6
  add t1, t1, s3
  ld t1, 0(t1)
  slli t2, a0, 1
  add t2, t2, a0
  addi t2, t2, 1
  check_same 4, t1, t2
  addi s1, s1, -1
  bnez s1, 3b

  getfin a0
  check_eq 5, a0, 0
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 6, a0, 0
  check_no_trap 7

  // rd = x0 takes the group too.
  aload_at FAR_DATA, 3, 9, 0
4:getfin x0
  csrr a0, NHG_CSR_AMUSTAT
  bnez a0, 4b
  getfin a0
  check_eq 8, a0, 0
  check_no_trap 10
  j done
bad_id:
  check_eq 9, x0, 1
done:
  test_end

  .bss
taken:
  .space MAX_ID + 1
