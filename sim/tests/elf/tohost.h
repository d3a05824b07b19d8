// SPDX-License-Identifier: Apache-2.0
//
// A program as riscv-tests have it: linked at the beginning of local memory, its only end is its symbol `tohost`.
#ifndef NHG_TOHOST_PROGRAM_H
#define NHG_TOHOST_PROGRAM_H

  .section .data
  .align 6
  .globl tohost
tohost:
  .dword 0

  .section .text.init, "ax", @progbits
  .globl _start
_start:

#endif
