// SPDX-License-Identifier: Apache-2.0
// Sstc: who may use stimecmp, and the timer interrupt of S mode that it gives.
#include "test.h"
#include "modes.h"
#include "interrupts.h"

#define STIMECMP 0x14d
#define MENVCFG 0x30a
#define COUNTER_TIME 2

  .macro refused number, mode
  enter \mode
  .word 0x14d02573 // csrr a0, stimecmp
  check_trap \number, 2, 0x14d02573
  .word 0x14d01073 // csrw stimecmp, x0
  check_trap \number + 1, 2, 0x14d01073
  .word 0x73
  .endm

  test_begin
  interrupts_begin
  li s0, -1
  csrw STIMECMP, s0
  csrr a0, STIMECMP
  check_eq 1, a0, -1
  csrr a0, MENVCFG
  check_eq 2, a0, 0

  // Without STCE, or without mcounteren.TM, S has none; STIP is software's
  csrw mcounteren, s0
  refused 3, SUPERVISOR
  csrw STIMECMP, x0
  check_pending 5, 0
  li a0, 1 << STI
  csrw mip, a0
  check_pending 6, 1 << STI
  csrw STIMECMP, s0
  csrw MENVCFG, s0
  csrr a0, MENVCFG
  check_eq 7, a0, 1 << 63
  check_pending 8, 0
  csrs mip, s0
  check_pending 9, (1 << SSI) | (1 << SEI)
  csrw STIMECMP, x0
  check_pending 10, SUPERVISOR_INTERRUPTS
  csrw mip, x0
  check_pending 11, 1 << STI
  csrw MENVCFG, x0
  check_pending 12, 1 << STI // as software has left it
  csrw mip, x0
  check_pending 13, 0
  csrw STIMECMP, s0
  csrw MENVCFG, s0
  csrci mcounteren, COUNTER_TIME
  refused 14, SUPERVISOR
  csrw mcounteren, s0
  refused 16, USER

  // S waits for its timer
  li a0, SUPERVISOR_INTERRUPTS
  csrw mideleg, a0
  csrw mie, a0
  csrw scounteren, s0
  csrci sstatus, STATUS_SIE
  enter SUPERVISOR
  rdtime a0
  addi a0, a0, 40
  csrw STIMECMP, a0
  wfi
  rdtime a1
  li s10, 20
  bltu a1, a0, test_fail
  csrr a0, sip
  check_eq 21, a0, 1 << STI
  check_no_trap 22
  csrsi sstatus, STATUS_SIE
1:check_interrupt 23, TRAP_TO_S, STI, 1b
  csrw STIMECMP, s0
  li a0, 1 << STI
  csrs sie, a0
  rdtime a0
  addi a0, a0, 40
  csrw STIMECMP, a0
  wfi
2:check_interrupt 24, TRAP_TO_S, STI, 2b
  csrw STIMECMP, s0
  csrci sstatus, STATUS_SIE
  .word 0x73

  // In U it comes whatever SIE says
  li a0, 1 << STI
  csrs mie, a0
  csrr a0, time
  addi a0, a0, 3
  csrw STIMECMP, a0
  enter USER
3:beqz s11, 3b
  check_taken 25, TRAP_TO_S, INTERRUPT | STI, 0
  .word 0x73
  test_end

  interrupt_handlers
