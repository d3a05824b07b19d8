// SPDX-License-Identifier: Apache-2.0
// Input of the UART (uart_echo.uart) by interrupt: in M mode until the end of a line, then in S mode, both asleep between the bytes. What comes is sent
// back; its sum says that all has come once.
#include "test.h"
#include "modes.h"
#include "interrupts.h"
#include "devices.h"

#define FIRST 10
#define SECOND 52
#define SUM 0x1671
#define DELAY 1000 // turns

  test_begin
  la x31, machine_external
  csrw mtvec, x31
  la x31, supervisor_external
  csrw stvec, x31
  li a0, 1 << SEI
  csrw mideleg, a0
  li a0, 1 << MEI | 1 << SEI
  csrw mie, a0
  put sb, NHG_UART_INTERRUPT_ID, 1 // FIFO
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_RECEIVE
  plic_begin NHG_PLIC_ENABLE_MACHINE, NHG_PLIC_THRESHOLD_MACHINE

  // In M: wfi with MIE = 0 wakes; the interrupt comes behind it
  li s0, 0 // bytes
  li s1, 0 // their sum
1:wfi
  csrsi mstatus, STATUS_MIE
  csrci mstatus, STATUS_MIE
  li a0, FIRST
  bltu s0, a0, 1b
  check_eq 1, s0, FIRST

  // In S
  put sw, NHG_PLIC_ENABLE_MACHINE, 0
  put sw, NHG_PLIC_ENABLE_SUPERVISOR, UART_LINE
  csrci mstatus, STATUS_SIE
  enter SUPERVISOR
1:wfi
  csrsi sstatus, STATUS_SIE
  csrci sstatus, STATUS_SIE
  li a0, FIRST + SECOND
  bltu s0, a0, 1b
  check_eq 2, s0, FIRST + SECOND
  check_eq 3, s1, SUM
  check_get 4, lw, NHG_UART_LINE_STATUS, 0x60
  test_end

  // Takes all there is. Bytes that come meanwhile fill the FIFO, and wait behind it.
  .macro receive_handler mode, claim
  csrr a1, \mode\()cause
  get lw, a2, \claim
  check_eq 10, a2, NHG_PLIC_UART_SOURCE
  check_get 11, lw, NHG_UART_INTERRUPT_ID, 0xc0 | UART_ID_RECEIVE
  li a4, DELAY
2:addi a4, a4, -1
  bnez a4, 2b
3:get lw, a3, NHG_UART_DATA
  li x31, NHG_UART_DATA
  sb a3, 0(x31)
  add s1, s1, a3
  addi s0, s0, 1
  get lbu, a3, NHG_UART_LINE_STATUS
  andi a3, a3, UART_DATA_READY
  bnez a3, 3b
  li x31, \claim
  sw a2, 0(x31)
  .endm
  .align 2
machine_external:
  receive_handler m, NHG_PLIC_CLAIM_MACHINE
  check_eq 12, a1, INTERRUPT | MEI
  mret
  .align 2
supervisor_external:
  receive_handler s, NHG_PLIC_CLAIM_SUPERVISOR
  check_eq 13, a1, INTERRUPT | SEI
  sret
