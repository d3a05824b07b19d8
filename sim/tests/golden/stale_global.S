// SPDX-License-Identifier: Apache-2.0
// Global pages of roots that are no longer in force: a core may use what its TLBs have of them, for the second half of an instruction or for data, while the
// first half and the code come through the same entry of the new root.
#include "test.h"
#include "modes.h"
#include "tables.h"

#define WINDOW 0x3000000000
#define MEGAPAGE 0x200000
#define PAGE_INDEX 8
#define PAGE (NHG_LOCAL_BASE + PAGE_INDEX * MEGAPAGE) // in the gigapage of the code
#define OLD 11
#define NEW 22

  test_begin
  modes_begin
  flat_pages root
  flat_pages other_root
  map root, WINDOW / GIGAPAGE, middle, V
  map middle, 0, last, V
  map last, 2, second_half, ALL | G
  map other_root, WINDOW / GIGAPAGE, other_middle, V
  map other_middle, 0, other_last, V
  map other_last, 1, first_half, V | R | X | A
  map other_last, 2, second_half, V | R | A
  map data_root, PAGE / GIGAPAGE, data_middle, V
  la t0, data_middle
  li t1, ((PAGE + MEGAPAGE) >> 2) | ALL | G
  sd t1, PAGE_INDEX * 8(t0)
  li s3, PAGE
  li t0, NEW
  sd t0, 8(s3)
  li t1, PAGE + MEGAPAGE
  li t0, OLD
  sd t0, 8(t1)

  // The data TLB has a page of the third root, the one for fetches of the first
  use_root data_root, 3
  li t0, STATUS_MPP
  csrc mstatus, t0
  li t0, STATUS_MPRV | (SUPERVISOR << 11)
  csrs mstatus, t0
  ld a0, 8(s3)
  li t0, STATUS_MPRV
  csrc mstatus, t0
  check_eq 1, a0, OLD
  write_satp root, 1
  enter SUPERVISOR
  li s2, WINDOW + 2 * 4096
  la s6, test_fail
  jalr ra, 8(s2)
  check_no_trap 2
  write_satp other_root, 2

  .rept 4
  la s6, 1f
  li a0, 7
  jalr ra, -2(s2)
1:check_eq 3, a0, 7
  ld a1, 8(s3)
  addi a2, a1, -OLD
  beqz a2, 2f
  check_eq 4, a1, NEW
2:
  .endr

  sfence.vma
  li s11, 0
  la s6, 3f
  li a0, 0
  jalr ra, -2(s2)
3:check_taken 5, TRAP_TO_M, 12, WINDOW + 2 * 4096
  ld a1, 8(s3)
  check_eq 6, a1, NEW
  to_machine
  test_end

  mode_handlers

  .data
  .balign 4096
first_half:
  .org first_half + 4096 - 2
  .half 0x0513 // addi a0, zero, 7
second_half:
  .half 0x0070
  ret
  .org second_half + 8
  ret
  .org second_half + 4096
  pages root, other_root, data_root, middle, other_middle, data_middle, last, other_last
