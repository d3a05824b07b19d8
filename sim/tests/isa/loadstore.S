// SPDX-License-Identifier: Apache-2.0
// Loads and stores of every size, extension, forwarding with full and partial overlap, misaligned and
// unmapped addresses, ordering violations behind slow addresses, both memories.
#include "test.h"

  // Stores `value` with `store`, at once loads from the same line with different sizes and offsets.
  .macro forward number, base
  li s0, \base
  li t0, 0x8182838485868788
  sd t0, 0(s0)
  ld a0, 0(s0)
  check_same \number, a0, t0
  lw a0, 4(s0)
  check_eq \number, a0, 0xffffffff81828384
  lwu a0, 4(s0)
  check_eq \number, a0, 0x81828384
  lh a0, 2(s0)
  check_eq \number, a0, 0xffffffffffff8586
  lhu a0, 2(s0)
  check_eq \number, a0, 0x8586
  lb a0, 7(s0)
  check_eq \number, a0, 0xffffffffffffff81
  lbu a0, 7(s0)
  check_eq \number, a0, 0x81
  // Younger, smaller stores over an older, wider one
  li t1, 0x11
  sb t1, 3(s0)
  ld a0, 0(s0)
  check_eq \number + 1, a0, 0x8182838411868788
  li t1, 0x2233
  sh t1, 6(s0)
  lw a0, 4(s0)
  check_eq \number + 1, a0, 0x22338384
  ld a0, 0(s0)
  check_eq \number + 1, a0, 0x2233838411868788
  li t1, 0x44556677
  sw t1, 0(s0)
  sb t1, 1(s0)
  sb x0, 2(s0)
  ld a0, 0(s0)
  check_eq \number + 2, a0, 0x2233838444007777
  lhu a0, 2(s0)
  check_eq \number + 2, a0, 0x4400
  .endm

  test_begin
  forward 1, (NHG_LOCAL_BASE + 0x100000)
  forward 5, (NHG_FAR_BASE + 0x1038)
  forward 9, 0x2fffffff8

  // Loads that overtake stores with late addresses: the division delays the store's address.
  li s0, (NHG_LOCAL_BASE + 0x100100)
  li s1, 0
  li s2, 200
1:sd s1, 0(s0)
  li t0, (NHG_LOCAL_BASE + 0x100100) * 3
  li t1, 3
  divu t0, t0, t1
  addi t2, s1, 77
  sd t2, 0(t0)
  ld a0, 0(s0)
  check_same 12, a0, t2
  sb s1, 3(t0)
  lwu a1, 0(s0)
  andi t3, s1, 255
  slli t3, t3, 24
  or t3, t3, t2
  check_same 13, a1, t3
  addi s1, s1, 1
  blt s1, s2, 1b

  // Twenty stores in a row, then all of them read back in reverse.
  li s0, (NHG_FAR_BASE + 0x300000)
  li t0, 20
1:sd t0, 0(s0)
  addi s0, s0, 8
  addi t0, t0, -1
  bnez t0, 1b
  li t0, 1
2:addi s0, s0, -8
  ld a0, 0(s0)
  check_same 14, a0, t0
  addi t0, t0, 1
  li t1, 20
  bleu t0, t1, 2b

  // 24 lines that fall into one set of a 4 KiB-per-way cache: replaced and fetched again.
  li s0, (NHG_FAR_BASE + 0x400000)
  li t0, 0
  li t2, 24
  li t4, 4096
1:sd t0, 8(s0)
  add s0, s0, t4
  addi t0, t0, 1
  blt t0, t2, 1b
2:sub s0, s0, t4
  addi t0, t0, -1
  ld a0, 8(s0)
  check_same 15, a0, t0
  bnez t0, 2b
  check_no_trap 16

  // Misaligned and unmapped accesses are precise and change nothing.
  li s0, (NHG_LOCAL_BASE + 0x100200)
  li t0, 0x55
  sd t0, 0(s0)
  li a0, 99
  ld a0, 4(s0)
  check_trap 20, 4, (NHG_LOCAL_BASE + 0x100204)
  lw a0, 2(s0)
  check_trap 21, 4, (NHG_LOCAL_BASE + 0x100202)
  lhu a0, 7(s0)
  check_trap 22, 4, (NHG_LOCAL_BASE + 0x100207)
  check_eq 23, a0, 99
  sd x0, 1(s0)
  check_trap 24, 6, (NHG_LOCAL_BASE + 0x100201)
  sw x0, 2(s0)
  check_trap 25, 6, (NHG_LOCAL_BASE + 0x100202)
  sh x0, 3(s0)
  check_trap 26, 6, (NHG_LOCAL_BASE + 0x100203)
  ld a1, 0(s0)
  check_eq 27, a1, 0x55
  ld a0, 0(x0)
  check_trap 28, 5, 0
  li t1, 0x7ffffff8
  ld a0, 0(t1)
  check_trap 29, 5, 0x7ffffff8
  lb a0, -1(x0)
  check_trap 30, 5, -1
  li t1, NHG_FAR_BASE + NHG_FAR_SIZE
  sd a0, 0(t1)
  check_trap 31, 7, NHG_FAR_BASE + NHG_FAR_SIZE
  li t1, 0x8000000080100200
  lb a0, 0(t1)
  check_trap 32, 5, 0x8000000080100200
  ld a0, 1(x0)
  check_trap 33, 4, 1
  li t1, NHG_BOOT_ROM_BASE
  sd a0, 0(t1)
  check_trap 34, 7, NHG_BOOT_ROM_BASE
  check_eq 35, a0, 99
  test_end
