// SPDX-License-Identifier: Apache-2.0
// A program that is wrong: it changes code that has run and runs it again without fence.i. A core may execute the old code.
#include "test.h"

  .option norvc
  test_begin
  call changed
  la t0, changed
  li t1, 0x00200513 // li a0, 2
store:
  sw t1, 0(t0)
  fence
  call changed
  test_end

  .balign 64
changed:
  li a0, 1
  ret
