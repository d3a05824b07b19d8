// SPDX-License-Identifier: Apache-2.0
//
// PLIC and UART in self-checking programs, on top of test.h, modes.h and interrupts.h.
#ifndef NHG_DEVICES_H
#define NHG_DEVICES_H

#define UART_RECEIVE 1
#define UART_TRANSMIT 2
#define UART_DATA_READY 1
#define UART_ID_NONE 1
#define UART_ID_TRANSMIT 2
#define UART_ID_RECEIVE 4
#define UART_LINE (1 << NHG_PLIC_UART_SOURCE)

  // A store (sb, sh, sw, sd) of a number to a device, a load from one.
  .macro put store, address, value
  li x31, \address
  li x30, \value
  \store x30, 0(x31)
  .endm
  .macro get load, register, address
  li x31, \address
  \load \register, 0(x31)
  .endm
  // Check `number`: what a register of a device reads.
  .macro check_get number, load, address, expected
  get \load, a0, \address
  check_eq \number, a0, \expected
  .endm

  // The UART's source, let through to one mode.
  .macro plic_begin enable, threshold
  put sw, NHG_PLIC_PRIORITY + 4 * NHG_PLIC_UART_SOURCE, 1
  put sw, \enable, UART_LINE
  put sw, \threshold, 0
  .endm

#endif
