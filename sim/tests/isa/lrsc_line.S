// SPDX-License-Identifier: Apache-2.0
// SC to another word of the reserved line, or of another size: the manual lets it succeed or fail. Memory must be as the result says, and no
// second SC may succeed.
#include "test.h"

  // LR of `lr` at s0, SC of `sc` at s0 + offset.
  .macro in_line number, lr, sc, offset
  addi a1, s0, \offset
  ld s2, (a1)
  addi t1, t1, 1
  \lr a0, (s0)
  \sc a2, t1, (a1)
  ld a3, (a1)
  li s10, \number
  li x31, 1
  bgtu a2, x31, test_fail
  beqz a2, 1f
  bne a3, s2, test_fail
1:bnez a2, 2f
  beq a3, s2, test_fail
2:\sc a2, t1, (a1)
  check_eq \number + 1, a2, 1
  .endm

  .macro lines first, base
  li s0, \base
  in_line \first, lr.d, sc.d, 8
  in_line \first + 2, lr.w, sc.d, 0
  in_line \first + 4, lr.d, sc.w, 56
  in_line \first + 6, lr.w, sc.w, 16
  // The result is not asked for: memory has either value, and keeps it
  lr.d a0, (s0)
  addi a1, s0, 24
  sc.d x0, t1, (a1)
  ld a2, (a1)
  ld a3, (a1)
  check_same \first + 8, a2, a3
  // Another line fails
  addi a1, s0, 64
  lr.d a0, (s0)
  sc.d a2, t1, (a1)
  check_eq \first + 9, a2, 1
  // nobody reads that again
  lr.d a0, (s0)
  addi a1, s0, 40
  sc.d x0, t1, (a1)
  .endm

  test_begin
  li t1, 1000
  lines 1, 0x80400000
  lines 21, NHG_FAR_BASE + 0x400000
  check_no_trap 41
  test_end
