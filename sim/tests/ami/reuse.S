// SPDX-License-Identifier: Apache-2.0
//
// amureuse: a line that another ID's load has brought from memory counts, and comes to L2, where there are caches; read-only; illegal with the AMU off.
#include "test.h"
#include "ami.h"

#define SHARED (NHG_FAR_BASE + 0x480000)
#define OWN (NHG_FAR_BASE + 0x4a0000)

  // One after the other.
  .macro load_at address, id
  aload_at \address, 3, \id, 0
  wait_any a0
  .endm

  // Check `number`: amureuse has grown by rd since the last time; clobbers a0.
  .macro check_grown number, rd
  csrr a0, NHG_CSR_AMUREUSE
  sub s1, a0, s1
  check_same \number, s1, \rd
  mv s1, a0
  .endm

  // Waits until L2 has been cleared after reset, and the table; then until a line has come.
  .macro wait_long
  li a0, 4000
1:
  addi a0, a0, -1
  bnez a0, 1b
  .endm

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 512

  has_caches s0

  wait_long
  csrr s1, NHG_CSR_AMUREUSE
  load_at SHARED, 1
  check_grown 1, x0
  load_at SHARED, 2
  check_grown 2, s0                      // another ID
  load_at OWN, 3
  load_at OWN, 3
  check_grown 3, x0                      // the same ID

  wait_long
  csrr s2, NHG_CSR_AMUHITS
  load_at SHARED, 4
  csrr a1, NHG_CSR_AMUHITS
  sub a1, a1, s2
  slli a1, a1, 32
  srli a1, a1, 32
  check_same 4, a1, s0                   // cached
  check_grown 5, x0

  csrw NHG_CSR_AMUREUSE, x0
  check_trap 6, 2, 0xcc901073
  csrwi NHG_CSR_AMUCTL, 2
  csrr a0, NHG_CSR_AMUREUSE
  check_trap 7, 2, 0xcc902573
  csrwi NHG_CSR_AMUCTL, 3
  check_grown 8, x0
  check_no_trap 9
  test_end
