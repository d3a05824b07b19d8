// SPDX-License-Identifier: Apache-2.0
// Writes of minstret and mcycle that leave them as they are, or set them where an instruction more or less would show: the next
// instruction reads what was written, none of them is a trap.
#include "test.h"

  test_begin
  csrw minstret, x0
  csrw minstret, x0
  csrr a0, minstret
  check_eq 1, a0, 0
  nop
  csrr a0, instret
  check_eq 3, a0, 5 // four behind the read of 0, which counts itself
  csrr a0, minstret
  csrw minstret, a0
  csrr a1, instret
  check_same 4, a0, a1
  li a0, -1
  csrw minstret, a0
  csrr a1, instret
  csrr a2, instret
  check_same 5, a0, a1
  check_eq 6, a2, 0
  csrwi minstret, 7
  csrrsi a0, minstret, 8
  csrr a1, minstret
  check_eq 7, a0, 7
  check_eq 8, a1, 15
  csrw mcycle, x0
  csrw mcycle, x0
  csrr a0, mcycle
  csrr a1, cycle
  li s10, 9
  bltu a1, a0, test_fail
  check_no_trap 10

  // A program that writes mcause is in no trap
  li a0, 11
  csrw mcause, a0
  csrr a1, mcause
  check_same 11, a0, a1
  csrw mcause, a0
  check_no_trap 12

  // An ecall does not retire; its handler's instructions do
  csrr s0, minstret
  ecall
  csrr s1, minstret
  sub s1, s1, s0
  check_eq 14, s1, 1 + 14 // the read, and the handler
  check_trap 15, 11, 0
  test_end
