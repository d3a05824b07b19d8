// SPDX-License-Identifier: Apache-2.0
// Every AMO in both widths, LR/SC pairs that succeed and fail, traps, ordering with plain accesses.
#include "test.h"

  .macro amo number, op, old, operand, new
  li t0, \old
  li t1, \operand
  sd t0, 0(s0)
  \op a0, t1, (s0)
  check_eq \number, a0, \old
  ld a1, 0(s0)
  check_eq \number, a1, \new
  .endm

  // Word forms: the upper half of the doubleword stays 0x77777777, rd is sign-extended.
  .macro amo_w number, op, old, operand, new
  li t0, \old
  li t1, \operand
  li t2, 0x77777777
  sw t0, 0(s0)
  sw t2, 4(s0)
  \op a0, t1, (s0)
  li t2, \old
  sext.w t2, t2
  check_same \number, a0, t2
  lwu a1, 0(s0)
  check_eq \number, a1, \new
  lw a1, 4(s0)
  check_eq \number, a1, 0x77777777
  .endm

  .macro all_amos first, base
  li s0, \base
  amo \first + 0, amoswap.d, 0x1122334455667788, -1, -1
  amo \first + 1, amoadd.d, 0xffffffff, 1, 0x100000000
  amo \first + 2, amoxor.d, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0xf0f0f0f0f0f0f0f0
  amo \first + 3, amoand.d, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0x0f000f000f000f00
  amo \first + 4, amoor.d, 0xff00ff00ff00ff00, 0x0ff00ff00ff00ff0, 0xfff0fff0fff0fff0
  amo \first + 5, amomin.d, 5, -7, -7
  amo \first + 6, amomax.d, 5, -7, 5
  amo \first + 7, amominu.d, 5, -7, 5
  amo \first + 8, amomaxu.d, 5, -7, -7
  amo_w \first + 9, amoswap.w, 0x80000001, 0x12345678, 0x12345678
  amo_w \first + 10, amoadd.w, 0xffffffff, 2, 1
  amo_w \first + 11, amoxor.w, 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0
  amo_w \first + 12, amoand.w, 0xff00ff00, 0x0ff00ff0, 0x0f000f00
  amo_w \first + 13, amoor.w, 0xff00ff00, 0x0ff00ff0, 0xfff0fff0
  amo_w \first + 14, amomin.w, 5, -7, 0xfffffff9
  amo_w \first + 15, amomax.w, 5, -7, 5
  amo_w \first + 16, amominu.w, 5, -7, 5
  amo_w \first + 17, amomaxu.w, 5, 0x1fffffff9, 0xfffffff9
  .endm

  test_begin
  all_amos 1, (NHG_LOCAL_BASE + 0x100000)
  all_amos 31, (NHG_FAR_BASE + 0x1000)

  // LR/SC: success, failure without reservation, failure after another SC
  li s0, (NHG_LOCAL_BASE + 0x100040)
  li t0, 41
  sd t0, 0(s0)
1:lr.d a0, (s0)
  addi a1, a0, 1
  sc.d a2, a1, (s0)
  bnez a2, 1b
  ld a0, 0(s0)
  check_eq 60, a0, 42
  sc.d a2, x0, (s0)
  check_eq 61, a2, 1
  ld a0, 0(s0)
  check_eq 62, a0, 42
2:lr.w a0, (s0)
  li a1, -3
  sc.w a2, a1, (s0)
  bnez a2, 2b
  lwu a0, 0(s0)
  check_eq 63, a0, 0xfffffffd
  // SC to another address than the LR's fails
  addi s1, s0, 64
  lr.d a0, (s0)
  sc.d a2, x0, (s1)
  check_eq 64, a2, 1
  sc.d a2, x0, (s0)
  check_eq 65, a2, 1

  // A lock-free counter: 100 increments by LR/SC between plain accesses
  li s2, 100
  sd x0, 0(s1)
3:lr.d a0, (s1)
  addi a0, a0, 1
  sc.d a2, a0, (s1)
  bnez a2, 3b
  ld a3, 0(s1)
  check_same 66, a0, a3
  addi s2, s2, -1
  bnez s2, 3b
  check_eq 67, a0, 100

  // AMO right after stores to the same bytes, load right after the AMO
  li t0, 0x0101
  sh t0, 2(s1)
  li t0, 9
  sb t0, 0(s1)
  li t1, 1
  amoadd.w a0, t1, (s1)
  lwu a1, 0(s1)
  check_eq 68, a0, 0x01010009
  check_eq 69, a1, 0x0101000a
  amoadd.d x0, t1, (s1)
  ld a1, 0(s1)
  check_eq 70, a1, 0x0101000b
  amoswap.d.aqrl s1, s1, (s1)
  check_eq 71, s1, 0x0101000b
  check_no_trap 72

  // Traps
  li s0, (NHG_LOCAL_BASE + 0x100041)
  lr.d a0, (s0)
  check_trap 80, 4, (NHG_LOCAL_BASE + 0x100041)
  sc.d a0, a0, (s0)
  check_trap 81, 6, (NHG_LOCAL_BASE + 0x100041)
  addi s0, s0, 1
  amoadd.w a0, a0, (s0)
  check_trap 82, 6, (NHG_LOCAL_BASE + 0x100042)
  addi s0, s0, 2
  amoadd.d a0, a0, (s0)
  check_trap 83, 6, (NHG_LOCAL_BASE + 0x100044)
  lr.w a0, (s0)
  check_no_trap 84
  li s0, NHG_HOST_BASE
  lr.d a0, (s0)
  check_trap 85, 5, NHG_HOST_BASE
  sc.d a0, a0, (s0)
  check_trap 86, 7, NHG_HOST_BASE
  amoor.d a0, a0, (s0)
  check_trap 87, 7, NHG_HOST_BASE
  amoor.d a0, a0, (x0)
  check_trap 88, 7, 0
  test_end
