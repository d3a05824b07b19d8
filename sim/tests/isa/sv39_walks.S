// SPDX-License-Identifier: Apache-2.0
// Walks and fences of Sv39 where other cores have gone wrong: walks that end in access faults have the cause of the access, sfence.vma with a late operand,
// for another address space and for a global page, walks under way at a fence, two addresses of one line, an instruction over the end of a page whose halves
// lie far apart, prefetches that may not go where they point, and pages that become valid without a fence.
#include "test.h"
#include "modes.h"
#include "pmp.h"
#include "tables.h"

#define WINDOW 0x3000000000
#define MEGAPAGE 0x200000
#define OLD 0x1111
#define NEW 0x2222
#define MOST_FAULTS 16 // of an access whose page is valid from the first on

  // In supervisor mode: each kind of access behind a table that cannot be read.
  .macro no_walk number, address
  li a1, \address
  ld a0, 0(a1)
  check_taken \number, TRAP_TO_M, 5, \address
  sd a0, 0(a1)
  check_taken \number + 1, TRAP_TO_M, 7, \address
  lr.d a0, (a1)
  check_taken \number + 2, TRAP_TO_M, 5, \address
  sc.d a2, a0, (a1)
  check_taken \number + 3, TRAP_TO_M, 7, \address
  amoadd.w a0, a0, (a1)
  check_taken \number + 4, TRAP_TO_M, 7, \address
  la s6, 1f
  jalr ra, 0(a1)
1:check_taken \number + 5, TRAP_TO_M, 1, \address
  prefetches
  check_no_trap \number + 6
  .endm
  .macro prefetches
  prefetch.r 0(a1)
  prefetch.w 0(a1)
  prefetch.i 0(a1)
  .endm

  // The page at a1, whose entry is at s5, goes from OLD (t4) to NEW (a7) while its walk may be under way, `wait` instructions old.
  .macro changes_in_a_walk number, wait
  sd t4, 0(s5)
  sfence.vma
  prefetch.r 0(a1)
  .rept \wait
  addi a6, a6, 1
  .endr
  sd a7, 0(s5)
  sfence.vma
  ld a0, 0(a1)
  check_eq \number, a0, NEW
  .endm

  test_begin
  modes_begin
  regions_begin
  region 0, 0, PMP_NAPOT // no rights; the page comes below
  la t0, forbidden
  srli t0, t0, 2
  ori t0, t0, 0x1ff
  csrw pmpaddr0, t0
  li s10, 1
  flat_pages root
  map root, WINDOW / GIGAPAGE, middle, V
  map middle, 0, last, V
  map middle, 1, NHG_CLINT_BASE, V
  map middle, 2, forbidden, V
  map middle, 3, last, V | (1 << 51) // beyond physical addresses
  map last, 0, old, ALL
  map last, 1, old, ALL
  map last, 3, code, V | R | X | A
  map last, 4, new, ALL
  map last, 8, new, ALL
  map last, 12, NHG_CLINT_BASE, ALL
  map last, 13, forbidden, ALL
  la s1, old
  la s2, new
  li t0, OLD
  sd t0, 0(s1)
  li t0, NEW
  sd t0, 0(s2)
  use_root root, 1
  la s5, last
  ld t4, 0(s5)
  ld a7, 4 * 8(s5)
  enter SUPERVISOR

  no_walk 10, WINDOW + MEGAPAGE + 8
  no_walk 20, WINDOW + 2 * MEGAPAGE + 8
  no_walk 30, WINDOW + 3 * MEGAPAGE + 8
  .irp page, 0x3000005000, 0x3000200000, 0x3000400000, 0x300000c000, 0x300000d000, 0x4000000000, 0x8000000000000000, 0x3fc0000000
  li a1, \page
  prefetches
  .endr
  check_no_trap 40

  // A fence whose address comes late, behind accesses of another page
  li a1, WINDOW
  li a2, WINDOW + 4096
  li a3, 3
  li a4, WINDOW * 27
  .rept 4
  ld a0, 0(a1)
  check_eq 50, a0, OLD
  sd a7, 0(s5)
  ld a0, 0(a2)
  div a5, a4, a3
  div a5, a5, a3
  div a5, a5, a3
  sfence.vma a5, x0
  ld a0, 0(a1)
  check_eq 51, a0, NEW
  sd t4, 0(s5)
  sfence.vma
  .endr

  // ... for one address space, whose number is not the present one's
  csrr s3, satp
  li t0, 1 << 44
  add s4, s3, t0
  li t0, 2
  ld a0, 0(a1)
  csrw satp, s4
  ld a0, 0(a1)
  sd a7, 0(s5)
  li t1, 1
  sfence.vma a1, t1
  sfence.vma x0, t0
  ld a0, 0(a1)
  check_eq 52, a0, NEW
  csrw satp, s3
  ld a0, 0(a1)
  check_eq 53, a0, NEW
  // ... and for a global page, by its address or by none
  ori t0, t4, G
  ori t1, a7, G
  sd t0, 0(s5)
  sfence.vma
  .irp operand, a1, x0
  ld a0, 0(a1)
  csrw satp, s4
  ld a0, 0(a1)
  check_eq 54, a0, OLD
  sd t1, 0(s5)
  sfence.vma \operand, x0
  ld a0, 0(a1)
  check_eq 55, a0, NEW
  csrw satp, s3
  ld a0, 0(a1)
  check_eq 56, a0, NEW
  sd t0, 0(s5)
  sfence.vma
  .endr

  // Walks under way at a fence
  .irp wait, 0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256
  changes_in_a_walk 60, \wait
  .endr

  // One line at two addresses
  li a2, WINDOW + 8 * 4096
  li a1, WINDOW + 4 * 4096
  li t0, 0
  li t1, 64
1:sd t0, 64(a1)
  ld a0, 64(a2)
  check_same 70, a0, t0
  sb t1, 65(a2)
  lh a0, 64(a1)
  slli t2, t1, 8
  add t2, t2, t0
  check_same 71, a0, t2
  amoadd.d a0, t1, (a1)
  lr.d a0, (a2)
  addi a0, a0, 1
  sc.d a3, a0, (a1)
  check_eq 72, a3, 0
  sub a0, a0, t1
  addi a0, a0, -1
  sd a0, 0(a2)
  check_eq 73, a0, NEW
  addi t0, t0, 1
  addi t1, t1, -1
  bnez t1, 1b

  // An instruction over the end of a page: its second half lies before its first in memory
  li a0, 0
  map last, 4, code_start, V | R | X | A
  sfence.vma
  li t0, WINDOW + 4 * 4096 - 2
  jalr ra, 0(t0)
  check_eq 80, a0, 9
  check_no_trap 81

  // Pages that the handler makes valid without a fence: the access ends
  .macro installed number, access:vararg
  .rept 4
  sd x0, 0(s5)
  sfence.vma
  li s11, 0
  \access
  li s10, \number
  beqz s11, test_fail
  li x31, MOST_FAULTS
  bgtu s11, x31, test_fail
  .endr
  .endm
  to_machine
  la t0, installs
  csrw mtvec, t0
  enter SUPERVISOR
  li a1, WINDOW
  li t1, 5
  installed 90, ld a0, 8(a1)
  installed 91, sd t1, 8(a1)
  installed 92, amoadd.d a0, t1, (a1)
  installed 93, lr.d a0, (a1)
  la t4, code_start
  srli t4, t4, 12
  slli t4, t4, 10
  ori t4, t4, V | R | X | A
  installed 94, jalr ra, 2(a1)
  to_machine
  test_end

  .align 2
installs:
  csrr x31, mcause
  addi x31, x31, -9
  beqz x31, machine_trap // an ecall
  addi s11, s11, 1
  sd t4, 0(s5)
  mret

  mode_handlers

  .data
  .option norelax
  pages old, new
code_start:
  .half 0x0095
  ret
  .balign 4096
code:
  .org code + 4094
  .half 0x0513 // addi a0, a0, 9
  .half 0x0075 // ... 7, in the page behind it
  ret
  pages forbidden, root, middle, last
