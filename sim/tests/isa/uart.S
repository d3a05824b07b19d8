// SPDX-License-Identifier: Apache-2.0
// UART: each register in 1 and 4 bytes, the divisor latch, the transmit interrupt, what is refused. It receives nothing; uart_echo.S does.
#include "test.h"
#include "modes.h"
#include "interrupts.h"
#include "devices.h"

  test_begin
  check_get 1, lw, NHG_UART_LINE_STATUS, 0x60
  check_get 2, lbu, NHG_UART_MODEM_STATUS, 0xb0
  check_get 3, lw, NHG_UART_INTERRUPT_ID, UART_ID_NONE
  check_get 4, lw, NHG_UART_DATA, 0
  put sw, NHG_UART_SCRATCH, 0x123456a5
  check_get 5, lw, NHG_UART_SCRATCH, 0xa5
  check_get 6, lb, NHG_UART_SCRATCH, -0x5b
  put sb, NHG_UART_SCRATCH + 1, 0x11 // only the lowest byte is there
  put sh, NHG_UART_SCRATCH + 2, 0x22
  check_get 7, lhu, NHG_UART_SCRATCH, 0xa5
  put sb, NHG_UART_SCRATCH, 0x5a
  check_get 8, lw, NHG_UART_SCRATCH, 0x5a
  put sb, NHG_UART_MODEM_CONTROL, -1
  check_get 9, lw, NHG_UART_MODEM_CONTROL, 0x1f
  put sw, NHG_UART_LINE_STATUS, 0
  check_get 10, lbu, NHG_UART_LINE_STATUS, 0x60
  put sb, NHG_UART_INTERRUPT_ID, 7
  check_get 11, lw, NHG_UART_INTERRUPT_ID, 0xc0 | UART_ID_NONE
  put sb, NHG_UART_INTERRUPT_ID, 0

  // The divisor, in the place of data and interrupt_enable
  put sb, NHG_UART_INTERRUPT_ENABLE, 0xff
  check_get 20, lw, NHG_UART_INTERRUPT_ENABLE, 0xf
  put sb, NHG_UART_INTERRUPT_ENABLE, 0
  put sb, NHG_UART_LINE_CONTROL, 0x83
  put sb, NHG_UART_DATA, 0x1b
  put sb, NHG_UART_INTERRUPT_ENABLE, 0x12
  check_get 21, lw, NHG_UART_DATA, 0x1b
  check_get 22, lw, NHG_UART_INTERRUPT_ENABLE, 0x12
  check_get 23, lw, NHG_UART_LINE_CONTROL, 0x83
  put sb, NHG_UART_LINE_CONTROL, 3
  check_get 24, lw, NHG_UART_INTERRUPT_ENABLE, 0
  check_get 25, lw, NHG_UART_DATA, 0

  // The transmit interrupt: when it becomes enabled and behind each byte, until interrupt_id is read
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
  check_get 30, lw, NHG_UART_INTERRUPT_ID, UART_ID_TRANSMIT
  check_get 31, lw, NHG_UART_INTERRUPT_ID, UART_ID_NONE
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_TRANSMIT
  check_get 32, lw, NHG_UART_INTERRUPT_ID, UART_ID_NONE
  .irp character, 0x73, 0x65, 0x6e, 0x74, 10
  put sw, NHG_UART_DATA, \character
  check_get 33, lw, NHG_UART_INTERRUPT_ID, UART_ID_TRANSMIT
  .endr
  put sb, NHG_UART_INTERRUPT_ENABLE, 0
  check_get 34, lw, NHG_UART_INTERRUPT_ID, UART_ID_NONE
  check_get 35, lw, NHG_PLIC_PENDING, UART_LINE

  check_device_refuses 40, ld, sd, NHG_UART_SCRATCH - 4
  check_device_refuses 42, lw, sw, NHG_UART_BASE
  check_device_refuses 44, lb, sb, NHG_UART_SCRATCH + 4
  check_device_refuses 46, lhu, sh, NHG_UART_BASE + NHG_UART_SIZE - 2
  li t0, NHG_UART_SCRATCH
  amoor.w a0, x0, (t0)
  check_trap 48, 7, NHG_UART_SCRATCH
  check_get 49, lw, NHG_UART_SCRATCH, 0x5a
  test_end
