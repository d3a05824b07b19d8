// SPDX-License-Identifier: Apache-2.0
//
// Page tables of Sv39 for programs that run in supervisor mode at their physical addresses. Macros clobber t0 to t3. Tables and pages lie in .data, where the
// linker moves nothing, each at a multiple of 4096.
#ifndef NHG_TABLES_H
#define NHG_TABLES_H

#define V 0x01
#define R 0x02
#define W 0x04
#define X 0x08
#define U 0x10
#define G 0x20
#define A 0x40
#define D 0x80
#define ALL (V | R | W | X | A | D)
#define SV39 (8 << 60)
#define GIGAPAGE 0x40000000

  // The entry `index` of the table at the label: `flags`, and the page of `target`.
  .macro map table, index, target, flags:vararg
  la t0, \table
  li t1, (\index) * 8
  add t0, t0, t1
  la t1, \target
  srli t1, t1, 12
  slli t1, t1, 10
  li t2, \flags
  or t1, t1, t2
  sd t1, 0(t0)
  .endm

  // The first 16 GiB, flat, by the first entries of the root table.
  .macro flat_pages root
  la t0, \root
  li t1, ALL
  li t2, GIGAPAGE >> 2 // in a PTE
  li t3, 16
7:sd t1, 0(t0)
  addi t0, t0, 8
  add t1, t1, t2
  addi t3, t3, -1
  bnez t3, 7b
  .endm

  // Places for tables and pages, in this order.
  .macro pages labels:vararg
  .balign 4096
  .irp label, \labels
\label:
  .skip 4096
  .endr
  .endm

  // satp, without a fence.
  .macro write_satp label, asid
  la t0, \label
  srli t0, t0, 12
  li t1, SV39 | ((\asid) << 44)
  or t0, t0, t1
  csrw satp, t0
  .endm
  .macro use_root label, asid
  write_satp \label, \asid
  sfence.vma
  .endm

#endif
