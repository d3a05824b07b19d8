// SPDX-License-Identifier: Apache-2.0
// Sv39: pages of each size, rights by mode, SUM, MXR, MPRV, faults with their causes and addresses, fetches and accesses through other addresses than
// the physical ones, ASIDs and global pages.
#include "test.h"
#include "modes.h"
#include "tables.h"

#define WINDOW 0x3000000000    // the pages of this test
#define UPPER (-0x40000000)    // the last index: the upper half

  // In supervisor mode: a load and a store of the page `index` of the window end so; 0 is no trap.
  .macro access number, index, load_cause, store_cause
  li a1, WINDOW + (\index) * 4096 + 8
  ld a0, 0(a1)
  .if \load_cause
  check_taken \number, TRAP_TO_M, \load_cause, WINDOW + (\index) * 4096 + 8
  .else
  check_no_trap \number
  .endif
  sd a0, 0(a1)
  .if \store_cause
  check_taken \number, TRAP_TO_M, \store_cause, WINDOW + (\index) * 4096 + 8
  .else
  check_no_trap \number
  .endif
  .endm

  test_begin
  modes_begin
  li s10, 1

  // Flat 1 GiB pages for what runs; a table of 2 MiB and one of 4 KiB pages behind the window
  flat_pages root
  map root, WINDOW / GIGAPAGE, middle, V
  map root, 511, upper, V
  map upper, 0, last, V
  map middle, 0, last, V
  map last, 0, data, ALL
  map last, 1, data, V | R | A
  map last, 2, data, V | R | A | D
  map last, 3, data, V | R | W | A
  map last, 4, data, V | R | W | D
  map last, 5, data, V | X | A
  map last, 6, data, V | W | A | D
  map last, 7, data, ALL | U
  map last, 8, data, R | W | X | A | D
  map last, 9, data, V
  map last, 10, data, ALL | (1 << 60)
  map last, 11, code, V | R | X | A
  map last, 12, code_end, V | R | X | A
  map last, 13, code, V | R | A
  map last, 15, code, V | R | X | A
  map last, 16, code_end, V | R | A
  map last, 14, data, V | R | W | X | A | D | (1 << 51) // beyond physical addresses
  map middle, 1, last, ALL // misaligned
  use_root root, 1
  la s1, data
  li a0, 0x1122334455667788
  sd a0, 8(s1)

  enter SUPERVISOR
  access 10, 0, 0, 0
  check_eq 11, a0, 0x1122334455667788
  access 12, 1, 0, 15
  access 13, 2, 0, 15
  access 14, 3, 0, 15
  access 15, 4, 13, 15
  access 16, 5, 13, 15
  access 17, 6, 13, 15
  access 18, 7, 13, 15
  access 19, 8, 13, 15
  access 20, 9, 13, 15
  access 21, 10, 13, 15
  access 22, 14, 5, 7
  access 23, 512, 13, 15
  access 24, 1024, 13, 15

  // The other half, and addresses that are in neither
  li a1, UPPER + 8
  ld a0, 0(a1)
  check_eq 30, a0, 0x1122334455667788
  li a1, 0x4000000000
  ld a0, 0(a1)
  check_taken 31, TRAP_TO_M, 13, 0x4000000000
  li a1, 0x80000000000
  sd a0, 0(a1)
  check_taken 32, TRAP_TO_M, 15, 0x80000000000

  // Atomics
  li a1, WINDOW + 16
  li a0, 5
  amoswap.d a0, a0, (a1)
  lr.d a0, (a1)
  addi a0, a0, 1
  sc.d a2, a0, (a1)
  check_eq 33, a2, 0
  ld a0, 16(s1)
  check_eq 34, a0, 6
  li a1, WINDOW + 4096 + 16
  lr.d a0, (a1)
  check_no_trap 35
  sc.d a2, a0, (a1)
  check_taken 36, TRAP_TO_M, 15, WINDOW + 4096 + 16
  amoadd.w a0, a0, (a1)
  check_taken 37, TRAP_TO_M, 15, WINDOW + 4096 + 16
  li a1, WINDOW + 9 * 4096 + 16
  lr.w a0, (a1)
  check_taken 38, TRAP_TO_M, 13, WINDOW + 9 * 4096 + 16

  // SUM and MXR
  li a3, STATUS_SUM | STATUS_MXR
  csrs sstatus, a3
  access 40, 7, 0, 0
  access 41, 5, 0, 15
  csrc sstatus, a3
  access 42, 5, 13, 15

  // Fetches: from a page of its own, from one that is not executable, and an instruction over the end of a page with its second half there, or not
  li a0, 0
  li t0, WINDOW + 11 * 4096
  jalr ra, 0(t0)
  check_eq 50, a0, 77
  li t0, WINDOW + 12 * 4096 - 2
  jalr ra, 0(t0)
  check_eq 51, a0, 84
  check_no_trap 52
  la s6, 1f
  li t0, WINDOW + 13 * 4096
  jalr ra, 0(t0)
1:check_taken 53, TRAP_TO_M, 12, WINDOW + 13 * 4096
  la s6, 1f
  li t0, WINDOW + 16 * 4096 - 2
  jalr ra, 0(t0)
1:check_taken 54, TRAP_TO_M, 12, WINDOW + 16 * 4096
  li t0, WINDOW + 16 * 4096 - 2
  check_same 55, s9, t0
  la s6, 1f
  li t0, 0x4000000000
  jalr ra, 0(t0)
1:check_taken 56, TRAP_TO_M, 12, 0x4000000000
  to_machine

  // U mode has its own pages alone: it runs in page 17, loads from page 7 and ends in page 18, which is not there
  map last, 17, user_code, V | R | X | U | A
  sfence.vma
  li t0, STATUS_MPP
  csrc mstatus, t0
  li t0, WINDOW + 17 * 4096
  csrw mepc, t0
  li a1, WINDOW + 7 * 4096 + 8
  la t0, in_machine
  csrw mtvec, t0
  mret
  .align 2
in_machine:
  csrr s7, mcause
  csrr s8, mtval
  addi s11, s11, TRAP_TO_M
  modes_begin
  check_eq 60, a0, 0x1122334455667788
  check_taken 61, TRAP_TO_M, 12, WINDOW + 18 * 4096

  // MPRV: M mode's loads and stores with the rights and addresses of S mode
  li t0, STATUS_MPP
  csrc mstatus, t0
  li t0, STATUS_MPRV | SUPERVISOR << 11
  csrs mstatus, t0
  li a1, WINDOW + 8
  ld a0, 0(a1)
  li a1, WINDOW + 4096
  sd a0, 0(a1)
  li t0, STATUS_MPRV
  csrc mstatus, t0
  check_eq 62, a0, 0x1122334455667788
  check_taken 63, TRAP_TO_M, 15, WINDOW + 4096

  // Another address space, without a fence between the two
  la s2, other
  li a0, 99
  sd a0, 8(s2)
  la t0, root
  la t1, root2
  li t3, 512
1:ld t2, 0(t0)
  sd t2, 0(t1)
  addi t0, t0, 8
  addi t1, t1, 8
  addi t3, t3, -1
  bnez t3, 1b
  map root2, WINDOW / GIGAPAGE, middle2, V
  map middle2, 0, last2, V
  map last2, 0, other, ALL
  csrr s3, satp
  use_root root2, 2
  csrr s4, satp
  enter SUPERVISOR
  li a1, WINDOW + 8
  .rept 3
  ld a0, 0(a1)
  check_eq 70, a0, 99
  csrw satp, s3
  ld a0, 0(a1)
  check_eq 71, a0, 0x1122334455667788
  csrw satp, s4
  .endr
  check_no_trap 72

  // Pages that change, each change with its fence
  csrw satp, s3
  la s5, last
  li t1, 8
1:ld t0, 0(s5)
  ld t2, 8(s5)
  sd t2, 0(s5)
  sfence.vma a1, x0
  sd a0, 0(a1)
  sd t0, 0(s5)
  sfence.vma x0, x0
  sd t1, 8(a1)
  ld a0, 0(a1)
  addi t1, t1, -1
  bnez t1, 1b
  check_taken 80, 8 * TRAP_TO_M, 15, WINDOW + 8

  // A gigapage and a megapage that are not the flat ones
  to_machine
  map root, WINDOW / GIGAPAGE + 1, NHG_LOCAL_BASE, ALL
  map middle, 2, NHG_LOCAL_BASE, ALL
  sfence.vma
  enter SUPERVISOR
  li a1, WINDOW + GIGAPAGE - NHG_LOCAL_BASE
  add a1, a1, s1
  sd s1, 24(a1)
  ld a0, 24(s1)
  check_same 90, a0, s1
  li a1, WINDOW + (2 << 21) - NHG_LOCAL_BASE
  add a1, a1, s1
  ld a0, 24(a1)
  check_same 91, a0, s1
  check_no_trap 92
  to_machine
  test_end

  mode_handlers

  .data
  .option norelax
  pages data, other
code:
  li a0, 77
  ret
  .org code + 4094
  .half 0x0513 // addi a0, a0, 7
code_end:
  .half 0x0075
  ret
  .balign 4096
user_code:
  ld a0, 0(a1)
  j user_code + 4092
  .org user_code + 4092
  c.nop
  c.nop
  pages root, root2, middle, middle2, upper, last, last2
