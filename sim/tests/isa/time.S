// SPDX-License-Identifier: Apache-2.0
// CSR time: a tick is TICK_CYCLES cycles, exactly, from reset on and whatever is written to mcycle.
#include "test.h"

  // Check `number`: time is cycle / TICK_CYCLES, while mcycle is as it came from reset.
  .macro check_time number
  rdcycle a0
  rdtime a1
  rdcycle a2
  li x31, NHG_TICK_CYCLES
  divu a0, a0, x31
  divu a2, a2, x31
  li s10, \number
  bltu a1, a0, test_fail
  bgtu a1, a2, test_fail
  .endm

  test_begin
  check_time 1
  li s0, 40
1:check_time 2
  li s1, 150
2:addi s1, s1, -1
  bnez s1, 2b
  addi s0, s0, -1
  bnez s0, 1b

  // After waiting for far memory, one line after the other
  li s0, 24
  li s2, NHG_FAR_BASE
  li s3, 0x11040
4:ld t0, (s2)
  add s2, s2, s3
  add s2, s2, t0
  check_time 8
  addi s0, s0, -1
  bnez s0, 4b

  // mtime of the CLINT is the same time, however many instructions ago a CSR was read
  li s2, NHG_CLINT_MTIME
  li s0, 3000
5:addi s0, s0, -1
  bnez s0, 5b
  ld a0, (s2)
  rdtime a1
  sub a1, a1, a0
  li s10, 9
  li x31, 2
  bgtu a1, x31, test_fail

  // 10,000 turns of a loop are ticks, and the same number of them by both counters
  rdtime s2
  rdcycle s3
  li s0, 10000
3:addi s0, s0, -1
  bnez s0, 3b
  rdtime s4
  rdcycle s5
  sub s4, s4, s2
  sub s5, s5, s3
  li x31, NHG_TICK_CYCLES
  divu s5, s5, x31
  li s10, 3
  beqz s5, test_fail
  sub s4, s4, s5
  addi s4, s4, 1
  li x31, 2
  bgtu s4, x31, test_fail

  // Cycles are the program's to write, time is not
  rdtime a0
  li t0, 0x4000000000
  csrw mcycle, t0
  rdtime a1
  sub a1, a1, a0
  li s10, 4
  bltu x31, a1, test_fail
  csrw mcycle, x0
  rdtime a1
  li s10, 5
  bltu a1, a0, test_fail
  check_no_trap 6
  .insn i 0x73, 1, x0, t0, -1023 // csrw time, t0
  check_trap 7, 2, 0xc0129073
  test_end
