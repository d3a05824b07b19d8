// SPDX-License-Identifier: Apache-2.0
// Pages that change without a fence, which a core may see late, and with the fences that do not cover the change; then with those that do, behind which it must
// not. The golden model without lock-step has a TLB, too, so it does see some late.
#include "test.h"
#include "modes.h"
#include "tables.h"

#define WINDOW 0x3000000000
#define OLD 11
#define NEW 22

  // The page has the old data, and then others by a new PTE; it is in the TLB.
  .macro change
  sd s3, 0(s2)
  sfence.vma
  ld a0, 8(s1)
  check_eq 1, a0, OLD
  sd s4, 0(s2)
  .endm
  .macro either number
  ld a0, 8(s1)
  sd a0, 16(s1)
  addi a1, a0, -OLD
  beqz a1, 8f
  check_eq \number, a0, NEW
8:
  .endm
  .macro now number
  ld a0, 8(s1)
  check_eq \number, a0, NEW
  .endm

  test_begin
  modes_begin
  li s10, 1
  flat_pages root
  map root, WINDOW / GIGAPAGE, middle, V
  map middle, 0, last, V
  map last, 0, second, ALL
  la s2, last
  ld s4, 0(s2)
  map last, 0, first, ALL
  ld s3, 0(s2)
  la t0, first
  li t1, OLD
  sd t1, 8(t0)
  la t0, second
  li t1, NEW
  sd t1, 8(t0)
  li s1, WINDOW
  li s5, 5 // ASID
  li s6, 6
  li s0, WINDOW + 4096
  use_root root, 5
  enter SUPERVISOR
  change
  either 10
  change
  sfence.vma s0, x0 // another page
  either 11
  change
  sfence.vma x0, s6 // another address space
  either 12
  change
  sfence.vma s1, s6
  either 13
  change
  sfence.vma s1, x0
  now 14
  change
  sfence.vma x0, s5
  now 15
  change
  sfence.vma s1, s5
  now 16

  // A page that comes, and one that goes
  sd x0, 0(s2)
  sfence.vma
  ld a0, 8(s1)
  check_taken 20, TRAP_TO_M, 13, WINDOW + 8
  sd s3, 0(s2)
  ld a0, 8(s1)
  sfence.vma
  li s11, 0
  ld a0, 8(s1)
  check_eq 21, a0, OLD
  check_no_trap 21
  sd x0, 0(s2)
  sd a0, 8(s1)
  li s11, 0
  sfence.vma s1, s5
  sd a0, 8(s1)
  check_taken 22, TRAP_TO_M, 15, WINDOW + 8

  // Another table, and another address space of the same number
  sd s3, 0(s2)
  sfence.vma
  ld a0, 8(s1)
  la t0, middle
  ld s7, 0(t0)
  la t1, last2
  sd s4, 0(t1)
  srli t1, t1, 2
  ori t1, t1, V
  sd t1, 0(t0)
  mv a3, s1
  sfence.vma a3, x0 // not for tables
  either 30
  sfence.vma x0, s5
  now 31
  to_machine
  test_end

  mode_handlers

  .data
  pages first, second, root, middle, last, last2
