// SPDX-License-Identifier: Apache-2.0
// Every request size in both directions, local and far memory, slot offsets, and older stores being seen.
#include "test.h"
#include "ami.h"

#define LOCAL_DATA (NHG_LOCAL_BASE + 0x100000)
#define FAR_DATA (NHG_FAR_BASE + 0x200000)

  // One size: fills memory, aload into slot 2, checks the SPM, stores changed SPM bytes back elsewhere, checks.
  .macro round_trip number, base, log2
  li s0, \base
  li s1, NHG_SPM_BASE + 2 * 4096
  li s2, 1 << \log2
  li t0, 0
1:add t1, s0, t0
  xori t2, t0, 0x5a
  sb t2, 0(t1)
  addi t0, t0, 1
  blt t0, s2, 1b
  aload_at \base, \log2, 2, 0
  wait_any a0
  fence
  check_eq \number, a0, 2
  li t0, 0
2:add t1, s1, t0
  lbu t3, 0(t1)
  xori t2, t0, 0x5a
  andi t2, t2, 0xff
  check_same \number + 1, t2, t3
  addi t3, t3, 7
  sb t3, 0(t1)
  addi t0, t0, 1
  blt t0, s2, 2b
  astore_at \base + 8192, \log2, 2, 0
  wait_any a0
  fence
  check_eq \number, a0, 2
  li s0, \base + 8192
  li t0, 0
3:add t1, s0, t0
  lbu t3, 0(t1)
  xori t2, t0, 0x5a
  addi t2, t2, 7
  andi t2, t2, 0xff
  check_same \number + 2, t2, t3
  addi t0, t0, 1
  blt t0, s2, 3b
  .endm

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_SLOT, 4096
  .irp log2, 0,1,2,3,4,5,6,7,8,9,10,11,12
  round_trip 1 + 3 * \log2, LOCAL_DATA, \log2
  round_trip 50 + 3 * \log2, FAR_DATA, \log2
  .endr

  // Unaligned within a line, at a slot offset, neighbours untouched.
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  li s0, NHG_SPM_BASE + 3 * 64
  li t0, -1
  sd t0, 0(s0)
  sd t0, 8(s0)
  sd t0, 16(s0)
  li s1, FAR_DATA + 0x10038
  li t0, 0x1122334455667788
  sd t0, 0(s1)
  aload_at FAR_DATA + 0x10038, 3, 3, 8
  wait_any a0
  check_eq 100, a0, 3
  fence
  ld t1, 0(s0)
  check_eq 101, t1, -1
  ld t1, 8(s0)
  check_eq 102, t1, 0x1122334455667788
  ld t1, 16(s0)
  check_eq 103, t1, -1
  lbu t1, 9(s0)
  check_eq 104, t1, 0x77
  lh t1, 14(s0)
  check_eq 105, t1, 0x1122
  lw t1, 8(s0)
  check_eq 106, t1, 0x55667788

  // A dirty line in the cache is what aload gets; what astore writes replaces the cached copy.
  li s1, FAR_DATA + 0x20000
  li t0, 0xabc
  sd t0, 0(s1)
  aload_at FAR_DATA + 0x20000, 6, 4, 0
  wait_any a0
  fence
  li s0, NHG_SPM_BASE + 4 * 64
  ld t1, 0(s0)
  check_eq 107, t1, 0xabc
  ld t2, 8(s1)
  li t0, 0xdef
  sd t0, 8(s0)
  astore_at FAR_DATA + 0x20000, 6, 4, 0
  wait_any a0
  check_eq 108, a0, 4
  fence
  ld t1, 8(s1)
  check_eq 109, t1, 0xdef
  check_no_trap 110
  test_end
