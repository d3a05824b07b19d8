// SPDX-License-Identifier: Apache-2.0
// aset: a group finishes once, after all its requests; its resume target is the last request's.
#include "test.h"
#include "ami.h"

#define FAR_DATA NHG_FAR_BASE

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_SLOT, 512
  li s0, FAR_DATA
  li t0, 1111
  sd t0, 0(s0)
  li t0, 2222
  li t1, 4096
  add t1, t1, s0
  sd t0, 0(t1)

  // Two loads and a store under one ID.
  li t0, 5
  li t1, 3
  aset t0, t1
  li t2, 3333
  li t3, NHG_SPM_BASE + 5 * 512 + 64
  sd t2, 0(t3)
  aload_at FAR_DATA, 3, 5, 0
  aload_at FAR_DATA + 4096, 3, 5, 8
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 1, a0, 1
  getfin a0
  check_eq 2, a0, 0
  astore_at FAR_DATA + 8192, 3, 5, 64
  wait_any a0
  check_eq 3, a0, 5
  fence
  li t3, NHG_SPM_BASE + 5 * 512
  ld a1, 0(t3)
  check_eq 4, a1, 1111
  ld a1, 8(t3)
  check_eq 5, a1, 2222
  li t1, 8192
  add t1, t1, s0
  ld a1, 0(t1)
  check_eq 6, a1, 3333
  getfin a0
  check_eq 7, a0, 0

  // A second aset before the first request replaces n.
  li t0, 5
  li t1, 63
  aset t0, t1
  li t1, 1
  aset t0, t1
  aload_at FAR_DATA, 3, 5, 16
  wait_any a0
  check_eq 8, a0, 5

  // 63 requests, target of the last one.
  la x30, wrong
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31
  li t0, 6
  li t1, 63
  aset t0, t1
  li t2, 62
  li t3, FAR_DATA | SIZE_FIELD(3)
1:aload t3, t0
  addi t3, t3, 8
  addi t2, t2, -1
  bnez t2, 1b
  la t4, right
  la t5, wrong
  sub t4, t4, t5
  srai t4, t4, 1
  slli t4, t4, 39
  or t3, t3, t4
  aload t3, t0
2:bafin a0
  beqz a0, 2b
wrong:
  check_eq 9, x0, 1
right:
  srli a0, a0, 39
  check_eq 10, a0, 6 * 512
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 11, a0, 0
  check_no_trap 12
  test_end
