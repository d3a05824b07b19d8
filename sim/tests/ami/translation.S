// SPDX-License-Identifier: Apache-2.0
// Requests at virtual addresses: what lies in their pages moves, in both halves of Sv39, and a page that may not be read or written is a page fault on the
// instruction, with nothing requested.
#include "test.h"
#include "modes.h"
#include "ami.h"
#include "tables.h"

#define WINDOW 0x3000000000
#define UPPER (-0x40000000)
#define SLOT (NHG_SPM_BASE + 64)

  // In supervisor mode, with ID 1: eight bytes come from `from`, and go to `to`.
  .macro moves number, from, to
  aload_at \from, 3, 1, 0
  wait_any a0
  check_eq \number, a0, 1
  fence
  ld a0, 0(s0)
  check_same \number, a0, s1
  astore_at \to, 3, 1, 0
  wait_any a0
  check_eq \number, a0, 1
  fence
  .endm

  test_begin
  modes_begin
  take_spm_way
  li s10, 1
  flat_pages root
  map root, WINDOW / GIGAPAGE, middle, V
  map root, 511, middle, V
  map middle, 0, last, V
  map middle, 1, NHG_FAR_BASE, ALL
  map last, 0, data, ALL
  map last, 1, data, V | R | A
  map last, 2, data, V | R | W | A
  map last, 3, data, V
  map last, 4, data, ALL | U
  map last, 5, NHG_SPM_BASE, ALL
  map last, 6, data, V | R | W | A | D | (1 << 51) // beyond physical addresses
  map last, 7, other, ALL
  la s2, data
  la s3, other
  li s0, SLOT
  li s1, 0x1122334455667788
  sd s1, 8(s2)
  li t0, 1
  csrw mstateen0, t0
  use_root root, 1
  enter SUPERVISOR
  moves 1, WINDOW + 8, WINDOW + 7 * 4096 + 16
  ld a0, 16(s3)
  check_same 2, a0, s1
  moves 3, UPPER + 7 * 4096 + 16, WINDOW + (1 << 21) + 64
  moves 4, WINDOW + (1 << 21) + 64, UPPER + 24
  ld a0, 24(s2)
  check_same 5, a0, s1
  aload_at WINDOW + 4096 + 8, 3, 1, 0
  wait_any a0
  check_no_trap 6

  .macro refused number, address, load_cause, store_cause
  .if \load_cause
  aload_at \address, 3, 1, 0
  check_taken \number, TRAP_TO_M, \load_cause, \address
  .endif
  astore_at \address, 3, 1, 0
  check_taken \number, TRAP_TO_M, \store_cause, \address
  getfin a0
  check_eq \number, a0, 0
  .endm
  refused 10, WINDOW + 4096 + 8, 0, 15
  refused 11, WINDOW + 2 * 4096 + 8, 0, 15
  refused 12, WINDOW + 3 * 4096 + 8, 13, 15
  refused 13, WINDOW + 4 * 4096 + 8, 13, 15
  refused 14, WINDOW + 5 * 4096 + 8, 5, 7
  refused 15, WINDOW + 6 * 4096 + 8, 5, 7
  refused 16, UPPER + 3 * 4096 + 8, 13, 15
  refused 17, WINDOW + GIGAPAGE, 13, 15
  to_machine
  test_end

  mode_handlers

  .data
  pages data, other, root, middle, last
