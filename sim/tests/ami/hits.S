// SPDX-License-Identifier: Apache-2.0
//
// amuhits: every line of a request counts once, in the half that says where it was; read-only; illegal with the AMU off.
#include "test.h"
#include "ami.h"

// Far enough from each other that the prefetcher brings none of them.
#define CACHED (NHG_FAR_BASE + 0x400000)
#define MISSED (NHG_FAR_BASE + 0x480000)

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 512

  has_caches s0

  li a5, CACHED
  ld a0, 0(a5)
  fence
  csrr s1, NHG_CSR_AMUHITS
  aload_at CACHED, 3, 1, 0               // one line, cached
  aload_at MISSED, 3, 2, 0               // one line
  aload_at (MISSED + 0x10000), 8, 3, 0   // four lines
  aload_at (MISSED + 0x20038), 6, 4, 0   // two lines
  astore_at (MISSED + 0x30000), 7, 5, 0  // two lines
  li s2, 5
1:
  wait_any a0
  addi s2, s2, -1
  bnez s2, 1b
  csrr s3, NHG_CSR_AMUHITS
  slli a0, s1, 32
  slli a1, s3, 32
  sub a0, a1, a0
  srli a0, a0, NHG_AMI_AMUHITS_MEMORY_LSB
  sub a1, a0, s0
  check_eq 1, a1, 0                      // cached
  srli a1, s1, NHG_AMI_AMUHITS_MEMORY_LSB
  srli a2, s3, NHG_AMI_AMUHITS_MEMORY_LSB
  sub a1, a2, a1
  add a0, a0, a1
  check_eq 2, a0, 10                     // all lines

  // A request that raises an exception does not count.
  aload_at NHG_SPM_BASE, 3, 1, 0
  check_trap 3, 5, NHG_SPM_BASE
  csrr a0, NHG_CSR_AMUHITS
  sub a0, a0, s3
  check_eq 4, a0, 0

  csrw NHG_CSR_AMUHITS, x0
  check_trap 5, 2, 0xcc801073
  csrwi NHG_CSR_AMUCTL, 2
  csrr a0, NHG_CSR_AMUHITS
  check_trap 6, 2, 0xcc802573
  csrwi NHG_CSR_AMUCTL, 3
  csrr a0, NHG_CSR_AMUHITS
  sub a0, a0, s3
  check_eq 7, a0, 0
  check_no_trap 8
  test_end
