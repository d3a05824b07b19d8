// SPDX-License-Identifier: Apache-2.0
// sfence.vma waits for what requests do to memory: what was stored before it is there, and what stores behind it write stays. Their groups are taken later.
#include "test.h"
#include "ami.h"

#define LOCAL_DATA (NHG_LOCAL_BASE + 0x100000)
#define FAR_DATA (NHG_FAR_BASE + 0x200000)
#define OLD 0x0101010101010101
#define NEW 0x7766554433221100
#define REUSED 0x1234

  test_begin
  take_spm_way
  li s0, NHG_SPM_BASE + 64
  li s1, NEW
  li s2, REUSED
  .irp base, LOCAL_DATA, FAR_DATA
  .rept 8
  li s3, \base
  li t0, OLD
  .irp offset, 0, 64, 128, 192
  sd t0, \offset(s3)
  .endr
  li t0, 1
  li t1, 4
  aset t0, t1
  sd s1, 0(s0)
  .irp offset, 0, 64, 128, 192
  astore_at \base + \offset, 3, 1, 0
  .endr
  sfence.vma
  .irp offset, 0, 64, 128
  ld a0, \offset(s3)
  check_same 1, a0, s1
  sd s2, \offset(s3)
  .endr
  wait_any a0
  check_eq 2, a0, 1
  .irp offset, 0, 64, 128
  ld a0, \offset(s3)
  check_same 3, a0, s2
  .endr
  ld a0, 192(s3)
  check_same 4, a0, s1
  .endr
  .endr
  check_no_trap 5
  test_end
