// SPDX-License-Identifier: Apache-2.0
// A checkpoint in a handler of machine mode, before it has ended the interrupt: mepc, mstatus and mcause are as they were, the interrupt is pending still,
// others wait; mret goes back to where it came from.
#include "test.h"
#include "modes.h"
#include "interrupts.h"

  test_begin
  la a0, at_interrupt
  csrw mtvec, a0
  li a0, -1
  csrw mcounteren, a0
  csrw scounteren, a0
  li a0, 1 << MSI | 1 << MTI
  csrw mie, a0
  li a0, 1 << STI | 1 << SSI
  csrw mip, a0
    li a0, 1 << 63
  csrw menvcfg, a0
  csrwi mstateen0, 1
  csrwi sstateen0, 1
  csrwi mstateen0, 0 // sstateen0 reads zero
  enter SUPERVISOR
  csrsi sstatus, STATUS_SIE
  set_msip
1:beqz s11, 1b
  csrr a0, sstatus
  andi a0, a0, STATUS_SIE
  check_eq 1, a0, STATUS_SIE
  la a1, 1b
  check_same 2, s2, a1
  test_end

  // Marks, and finds all as it was; goes on at s2 with msip ended.
  .align 2
at_interrupt:
  csrr s0, mstatus
  csrr s1, mip
  csrr s2, mepc
  li x31, NHG_HOST_CHECKPOINT
  sd x31, 0(x31)
  csrr a0, mstatus
  check_same 10, a0, s0
  csrr a0, mip
  check_same 11, a0, s1
  andi a0, a0, 1 << MSI | 1 << STI | 1 << SSI
  check_eq 12, a0, 1 << MSI | 1 << STI | 1 << SSI
  csrr a0, mepc
  check_same 13, a0, s2
  csrr a0, mcause
  check_eq 14, a0, INTERRUPT | MSI
  li a0, STATUS_MPP
  and a0, a0, s0
  check_eq 15, a0, SUPERVISOR << 11
  li x31, NHG_CLINT_MSIP
  sw x0, 0(x31)
  csrw menvcfg, x0 // what software has set in STI is there behind it
  csrr a0, mip
  andi a0, a0, 1 << STI
  check_eq 16, a0, 1 << STI
  csrwi mstateen0, 1 // and so is what sstateen0 holds
  csrr a0, sstateen0
  check_eq 17, a0, 1
  csrw mip, x0
  li a0, 1 << 63
  csrw menvcfg, a0
  li s11, 1
  mret
