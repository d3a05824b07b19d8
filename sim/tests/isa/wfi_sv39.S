// SPDX-License-Identifier: Apache-2.0
// A wfi at a virtual address, where no memory is, sleeps until its interrupt.
#include "test.h"
#include "modes.h"
#include "interrupts.h"
#include "tables.h"

#define WINDOW 0x3000000000
#define LONG 40 // ticks

  test_begin
  interrupts_begin
  flat_pages root
  map root, WINDOW / GIGAPAGE, middle, V
  map middle, 0, last, V
  map last, 0, code, V | R | X | A
  use_root root, 1
  li a0, 1 << MTI
  csrw mie, a0
  set_timer LONG
  enter SUPERVISOR
  li t0, WINDOW
  jalr ra, 0(t0)
  check_taken 1, TRAP_TO_M, INTERRUPT | MTI, 0
  li t0, WINDOW + 4
  check_same 2, s9, t0
  .word 0x73
  test_end

  interrupt_handlers

  .data
  pages root, middle, last
code:
  wfi
  ret
