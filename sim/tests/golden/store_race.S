// SPDX-License-Identifier: Apache-2.0
// Races on purpose: stores to bytes a request owns or reads of them, before it is taken. The value is open, the program
// accepts either; lock-step must too, whichever copy the RTL makes.
#include "test.h"
#include "ami.h"

#define FAR_DATA NHG_FAR_BASE

  // Check `number`: reg holds one of two values.
  .macro check_either number, reg, a, b
  li s10, \number
  li x31, \a
  beq \reg, x31, 1f
  li x31, \b
  bne \reg, x31, test_fail
1:
  .endm

  test_begin
  take_spm_way
  li s0, FAR_DATA
  li s1, NHG_SPM_BASE + 64
  li s2, 40
again:
  li t0, 0x1111111111111111
  sd t0, 0(s0)
  sd x0, 0(s1)
  fence
  aload_at FAR_DATA, 3, 1, 0
  li t1, 0x2222222222222222
  sd t1, 0(s0)
  wait_any a0
  fence
  ld a1, 0(s1)
  check_either 1, a1, 0x1111111111111111, 0x2222222222222222
  ld a2, 0(s1)
  check_same 2, a1, a2

  // The source of an astore is overwritten before the group is taken.
  li t0, 0x3333333333333333
  sd t0, 0(s1)
  astore_at FAR_DATA + 64, 3, 1, 0
  li t1, 0x4444444444444444
  sd t1, 0(s1)
  wait_any a0
  fence
  ld a1, 64(s0)
  check_either 3, a1, 0x3333333333333333, 0x4444444444444444

  // The destination of an astore is read before the group is taken.
  li t0, 0x5555555555555555
  sd t0, 128(s0)
  li t1, 0x6666666666666666
  sd t1, 0(s1)
  astore_at FAR_DATA + 128, 3, 1, 0
  ld a1, 128(s0)
  check_either 5, a1, 0x5555555555555555, 0x6666666666666666
  wait_any a0
  fence
  ld a1, 128(s0)
  check_eq 6, a1, 0x6666666666666666

  // It is read twice: the new value stays, and does not come again behind a store.
  sd t0, 192(s0)
  ld a1, 192(s0)
  check_same 7, a1, t0
  astore_at FAR_DATA + 192, 3, 1, 0
  ld a1, 192(s0)
  ld a2, 192(s0)
  sd s2, 192(s0)
  ld a3, 192(s0)
  ld a4, 192(s0)
  wait_any a0
  fence
  ld a5, 192(s0)
  beq a1, t0, 2f
  check_same 8, a1, a2
  check_same 9, a3, s2
  check_same 11, a4, s2
  check_same 12, a5, s2
2:
  addi s2, s2, -1
  bnez s2, again
  check_no_trap 4
  test_end
