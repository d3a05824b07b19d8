// SPDX-License-Identifier: Apache-2.0
// wfi sleeps until an interrupt is pending and enabled in mie, whether it is let in or not; one that is let in comes behind the wfi.
#include "test.h"
#include "modes.h"
#include "interrupts.h"

#define LONG 40 // ticks: nothing that the program does meanwhile takes as long

  // A timer in s0, then `sleep`: it has slept until then.
  .macro sleeps number
  set_timer LONG
  mv s0, x30
  wfi
  rdtime a0
  li s10, \number
  bltu a0, s0, test_fail
  .endm
  .macro slept_briefly number
  li x31, NHG_CLINT_MTIME
  ld s0, 0(x31)
  wfi
  rdtime a0
  sub a0, a0, s0
  li s10, \number
  li x31, LONG / 2
  bgtu a0, x31, test_fail
  .endm

  test_begin
  interrupts_begin
  li a0, -1
  csrw mcounteren, a0

  // MIE = 0: it wakes and goes on
  li a0, 1 << MTI
  csrw mie, a0
  sleeps 1
  check_no_trap 2
  csrr a0, mip
  check_eq 3, a0, 1 << MTI
  slept_briefly 4 // the timer is still pending

  // What is pending and not enabled does not wake it
  li a0, SUPERVISOR_INTERRUPTS
  csrw mip, a0
  set_msip
  sleeps 5
  check_no_trap 6

  // MIE = 1: the interrupt comes behind it
  csrw mip, x0
  csrsi mstatus, STATUS_MIE
1:bnez s11, 2f
  nop
2:li s11, 0
  set_timer LONG
  wfi
3:check_interrupt 7, 1, MTI, 3b
  csrci mstatus, STATUS_MIE

  // Any interrupt wakes it, delegated or not, in M and in S
  csrw mie, x0
  .irp mask, 0, SUPERVISOR_INTERRUPTS
  li a0, \mask
  csrw mideleg, a0
  .irp interrupt, SSI, STI, SEI
  li a0, 1 << \interrupt
  csrw mip, a0
  csrw mie, a0
  slept_briefly 8
  .endr
  .endr
  csrci sstatus, STATUS_SIE
  enter SUPERVISOR
  slept_briefly 9
  check_no_trap 10
  .word 0x73
  csrw mip, x0
  li a0, 1 << MSI
  csrw mie, a0
  slept_briefly 11 // msip is still set
  check_no_trap 12
  li x31, NHG_CLINT_MSIP
  sw x0, 0(x31)

  // In S, a timer of M comes behind it, though MIE = 0
  li a0, 1 << MTI
  csrw mie, a0
  li x31, STATUS_MPIE
  csrc mstatus, x31
  set_timer LONG
  enter SUPERVISOR
  wfi
4:check_interrupt 13, TRAP_TO_M, MTI, 4b
  .word 0x73
  test_end

  interrupt_handlers
