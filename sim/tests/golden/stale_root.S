// SPDX-License-Identifier: Apache-2.0
// A root gives way to another of the same ASID without a fence: a core that has a page of the first may still use it, the other has none. An earlier PTE of
// that page was global, of another root, and no walk has used it.
#include "test.h"
#include "modes.h"
#include "tables.h"

#define WINDOW 0x3000000000

  test_begin
  modes_begin
  flat_pages root
  flat_pages other_root
  map root, WINDOW / GIGAPAGE, middle, V
  map middle, 0, last, V
  map last, 0, first, ALL | G
  la s1, second
  sd s1, 8(s1)
  use_root root, 6
  enter SUPERVISOR
  map last, 0, second, ALL
  li s2, WINDOW
  write_satp root, 5
  ld a0, 8(s2)
  check_same 1, a0, s1
  write_satp other_root, 5
  sd s1, 16(s2)
  .rept 8
  ld a0, 8(s2)
  .endr
  write_satp root, 5
  sfence.vma
  ld a0, 8(s2)
  check_same 2, a0, s1
  to_machine
  test_end

  mode_handlers

  .data
  pages first, second, root, other_root, middle, last
