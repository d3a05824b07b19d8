// SPDX-License-Identifier: Apache-2.0
// CSRs: writable bits, the six CSR instructions, read-only and absent registers, counters.
#include "test.h"

  // All ones, then zero: what can be written reads back.
  .macro mask number, csr, ones, zeros
  csrr s1, \csr
  li a0, -1
  csrw \csr, a0
  csrr a0, \csr
  check_eq \number, a0, \ones
  csrw \csr, x0
  csrr a0, \csr
  check_eq \number, a0, \zeros
  csrw \csr, s1
  .endm

  .macro absent number, csr
  csrr a0, \csr
  check_trap \number, 2, (\csr << 20) | 0x2573
  .endm

  test_begin
  mask 1, mscratch, -1, 0
  mask 2, mepc, -2, 0
  mask 3, mcause, -1, 0
  mask 4, mtval, -1, 0
  mask 5, mie, 0xaaa, 0
  mask 6, mip, 0x222, 0
  mask 7, misa, 0x800000000014112f, 0x800000000014112f
  mask 8, 0x320, 0, 0
  mask 9, 0x323, 0, 0
  mask 10, 0xb1f, 0, 0
  csrr s1, mtvec
  li a0, -1
  csrw mtvec, a0
  csrr a0, mtvec
  csrw mtvec, s1
  check_eq 11, a0, 0xfffffffffffffffd

  // mstatus: FS is dirty, which SD repeats. No interrupt source: MIE may be set. modes.S and warl.S have the rest.
  li a0, -1
  csrw mstatus, a0
  csrr a0, mstatus
  check_eq 12, a0, 0x8000000a007e79aa
  csrw mstatus, x0
  csrr a0, mstatus
  check_eq 13, a0, 0xa00000000

  // The six forms
  li a1, 0xf0
  li a2, 0x3c
  csrw mscratch, a1
  csrrs a0, mscratch, a2
  check_eq 20, a0, 0xf0
  csrrc a0, mscratch, a2
  check_eq 21, a0, 0xfc
  csrrw a0, mscratch, a2
  check_eq 22, a0, 0xc0
  csrrsi a0, mscratch, 3
  check_eq 23, a0, 0x3c
  csrrci a0, mscratch, 12
  check_eq 24, a0, 0x3f
  csrrwi a0, mscratch, 31
  check_eq 25, a0, 0x33
  csrr a0, mscratch
  check_eq 26, a0, 31
  csrrw a1, mscratch, a1
  check_eq 27, a1, 31
  csrr a0, mscratch
  check_eq 28, a0, 0xf0
  csrrw x0, mscratch, x0
  csrr a0, mscratch
  check_eq 29, a0, 0

  // Identification, read only
  csrr a0, mhartid
  check_eq 30, a0, 0
  csrr a0, mvendorid
  check_eq 31, a0, 0
  csrr a0, marchid
  check_eq 32, a0, 0
  csrr a0, mimpid
  check_eq 33, a0, 0
  csrr a0, 0xf15
  check_eq 34, a0, 0
  check_no_trap 35
  csrrw a0, mhartid, x0
  check_trap 36, 2, 0xf1401573
  csrrs a0, cycle, a0
  check_trap 37, 2, 0xc0052573
  csrrci a0, instret, 1
  check_trap 38, 2, 0xc020f573

  absent 40, 0x200
  absent 41, 0x5a8
  absent 42, 0x14e
  absent 43, 0x680
  absent 44, 0x001
  absent 45, 0x3a1
  absent 46, 0x7a3
  absent 47, 0xc03
  absent 48, 0x31a

  // Counters move, instret by what retires, and can be written
  csrr a0, cycle
  csrr a1, cycle
  li s10, 50
  bgeu a0, a1, test_fail
  csrr a0, instret
  nop
  nop
  csrr a1, instret
  sub a1, a1, a0
  check_eq 51, a1, 3
  csrr a0, time
  csrr a1, time
  li s10, 52
  bltu a1, a0, test_fail
  li a0, 0x1000000000
  csrw minstret, a0
  csrr a1, minstret
  li s10, 53
  bltu a1, a0, test_fail
  addi a0, a0, 10
  bgeu a1, a0, test_fail
  li a0, 0x2000000000
  csrw mcycle, a0
  csrr a1, mcycle
  li s10, 54
  bltu a1, a0, test_fail
  check_no_trap 55
  test_end
