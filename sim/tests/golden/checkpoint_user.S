// SPDX-License-Identifier: Apache-2.0
// A checkpoint in U mode: the counters go on, and the timers of S and M mode, set before the mark, come behind it.
#include "test.h"
#include "modes.h"
#include "interrupts.h"

  test_begin
  interrupts_begin
  li a0, -1
  csrw mcounteren, a0
  csrw scounteren, a0
  li a0, 1 << STI
  csrw mideleg, a0
  li a0, 1 << STI | 1 << MTI
  csrw mie, a0
  li a0, 1 << 63
  csrw menvcfg, a0
  rdtime a0
  addi a0, a0, 40
  csrw 0x14d, a0 // stimecmp
  set_timer 80
  rdcycle s4
  rdtime s2
  enter USER
  rdinstret s0
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  rdinstret s1
  rdtime s3
  rdcycle s5
  sub s1, s1, s0
  check_eq 1, s1, 4
  // Less than the timers', and no time of its own
  sub s3, s3, s2
  sltiu a0, s3, 40
  check_eq 2, a0, 1
  sub s5, s5, s4
  li a1, 40 * NHG_TICK_CYCLES
  sltu a0, s5, a1
  check_eq 3, a0, 1
4:beqz s11, 4b
  check_taken 4, TRAP_TO_S, INTERRUPT | STI, 0
5:beqz s11, 5b
  check_taken 5, TRAP_TO_M, INTERRUPT | MTI, 0
  test_end
  interrupt_handlers
