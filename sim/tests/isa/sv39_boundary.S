// SPDX-License-Identifier: Apache-2.0
// Execution that runs out of the lower half of Sv39, with its last page and the page of the same number behind it mapped: an instruction page fault, whose
// address has bit 38 set and those above it clear; the same of an instruction that lies across the boundary.
#include "test.h"
#include "modes.h"
#include "tables.h"

#define BOUNDARY 0x4000000000

  // In supervisor mode: runs from `from` to the fault, which is that of the instruction at `pc`.
  .macro runs_out number, from, pc
  la s6, 1f
  li a0, 0
  li t0, \from
  jr t0
1:check_taken \number, TRAP_TO_M, 12, BOUNDARY
  li t0, \pc
  check_same \number, s9, t0
  check_eq \number, a0, 1
  .endm

  test_begin
  modes_begin
  flat_pages root
  map root, BOUNDARY / GIGAPAGE - 1, middle, V
  map root, BOUNDARY / GIGAPAGE, middle, V
  map middle, 511, last, V
  map middle, 0, last, V
  map last, 511, code, V | R | X | A
  map last, 0, wrong, V | R | X | A
  use_root root, 1
  enter SUPERVISOR
  runs_out 1, BOUNDARY - 8, BOUNDARY
  runs_out 2, BOUNDARY - 16, BOUNDARY
  to_machine
  map last, 511, across, V | R | X | A
  sfence.vma
  enter SUPERVISOR
  runs_out 3, BOUNDARY - 4, BOUNDARY - 2
  to_machine
  test_end

  mode_handlers

  .data
  .option norelax
  pages root, middle, last
code:
  .org code + 4080
  c.addi a0, 1
  c.j 1f
  .org code + 4088
1:c.nop
  c.nop
  .word 0x00100513 // addi a0, x0, 1
across:
  .org across + 4092
  c.addi a0, 1
  .half 0x0513 // addi a0, a0, 7
wrong:
  .half 0x0075
  addi a0, a0, 16
  jr s6
