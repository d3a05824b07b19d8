// SPDX-License-Identifier: Apache-2.0
// Prints a line through the host interface and ends through it with exit code 3, at an entry behind its beginning.
#include "platform.h"
  .section .text.init, "ax", @progbits
  ebreak
  .globl _start
_start:
  li s0, NHG_HOST_PUTC
  .irpc c, hello
  li t0, '\c'
  sd t0, 0(s0)
  .endr
  li t0, 10
  sd t0, 0(s0)
  li s0, NHG_HOST_EXIT
  li t0, 3
  sd t0, 0(s0)
stop:
  j stop
