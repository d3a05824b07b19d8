// SPDX-License-Identifier: Apache-2.0
// LR/SC around what may end a reservation: evictions, stores, traps, other LRs and SCs, wrong paths. Where the core may fail an SC at
// will, its result must agree with memory; where it must fail, it must.
#include "test.h"

  // rd of an SC on a doubleword at s0: 0 and memory holds `new`, or 1 and it holds `old`.
  .macro sc_agrees number, rd, old, new
  li s10, \number
  li x31, 1
  bgtu \rd, x31, test_fail
  ld x30, 0(s0)
  li x31, \new
  beqz \rd, 1f
  li x31, \old
1:bne x30, x31, test_fail
  .endm

  .macro must_fail number, rd
  check_eq \number, \rd, 1
  .endm

  .macro lrsc first, base
  li s0, \base
  li s1, \base + 128
  li t0, 11
  li t1, 22
  sd t0, 0(s0)
  sd t0, 0(s1)

  // Evicted in between: 24 other lines of the same set are loaded
  lr.d a0, (s0)
  li t2, 24
  li t3, 4096
  mv t4, s0
1:add t4, t4, t3
  ld x0, 0(t4)
  addi t2, t2, -1
  bnez t2, 1b
  sc.d a1, t1, (s0)
  sc_agrees \first + 0, a1, 11, 22
  sd t0, 0(s0)

  // A store of the same hart to the reserved bytes, then to other bytes of the line
  lr.d a0, (s0)
  li t2, 33
  sd t2, 0(s0)
  sc.d a1, t1, (s0)
  sc_agrees \first + 1, a1, 33, 22
  sd t0, 0(s0)
  lr.d a0, (s0)
  sb t2, 8(s0)
  sc.d a1, t1, (s0)
  sc_agrees \first + 2, a1, 11, 22
  sd t0, 0(s0)

  // Another address, also in the same line; any SC ends the reservation
  lr.d a0, (s0)
  sc.d a1, t1, (s1)
  must_fail \first + 3, a1
  sc.d a1, t1, (s0)
  must_fail \first + 4, a1
  lr.d a0, (s1)
  lr.d a0, (s0)
  sc.d a1, t1, (s1)
  must_fail \first + 5, a1

  // A trap in between leaves the reservation alone; so does an SC that traps
  lr.d a0, (s0)
  ecall
  sc.d a1, t1, (s0)
  sc_agrees \first + 6, a1, 11, 22
  li s11, 0
  sd t0, 0(s0)
  lr.d a0, (s0)
  addi t2, s0, 4
  sc.d a1, t1, (t2)
  check_trap \first + 7, 6, \base + 4
  sc.d a1, t1, (s0)
  sc_agrees \first + 8, a1, 11, 22
  sd t0, 0(s0)
  lr.d a0, (t2)
  check_trap \first + 9, 4, \base + 4
  sc.d a1, t1, (s0)
  must_fail \first + 10, a1
  ld a0, 0(s0)
  check_eq \first + 11, a0, 11

  // An AMO and a fence in between
  lr.d a0, (s0)
  amoadd.d a0, t1, (s0)
  fence
  sc.d a1, t1, (s0)
  sc_agrees \first + 12, a1, 33, 22

  // An SC and an LR on the wrong path: cold branches that resolve late
  li s3, 0
  li s4, 7
  .rept 6
2:sd t0, 0(s0)
  lr.d a0, (s0)
  li t2, 1000
  div t2, t2, s4
  div t2, t2, s4
  bnez t2, 3f
  sc.d a1, x0, (s0)
  lr.d a1, (s1)
3:sc.d a1, t1, (s0)
  bnez a1, 2b
  addi s3, s3, 1
  .endr
  check_eq \first + 13, s3, 6
  sc.d a1, x0, (s1)
  must_fail \first + 14, a1

  // Words: both halves, and progress under contention of plain accesses to the line
  sd x0, 0(s0)
  addi s2, s0, 4
  li s3, 50
4:lr.w.aq a0, (s2)
  sw s3, 8(s0)
  addi a0, a0, 1
  sc.w.rl a1, a0, (s2)
  lw x0, 8(s0)
  bnez a1, 4b
  addi s3, s3, -1
  bnez s3, 4b
  ld a0, 0(s0)
  check_eq \first + 15, a0, 50 << 32
  check_no_trap \first + 16
  .endm

  test_begin
  sc.d a1, x0, (sp)
  must_fail 1, a1
  lrsc 10, (NHG_LOCAL_BASE + 0x200000)
  lrsc 40, (NHG_FAR_BASE + 0x4000)
  test_end
