// SPDX-License-Identifier: Apache-2.0
// Words that are stored and not read again, and where they are at the end: only a comparison of memory can tell whether the stores were done.
// test_rtl.py loses one of them at a time.
#include "test.h"

  // Stores to `address`, then loads 31 other lines of its set: the next ones, `stride` bytes apart, but for those that are multiples of 8 strides.
  .macro store_and_evict address, stride
  li s0, \address
  sd t0, 0(s0)
  li s1, \stride
  li s2, 1
1:mul s3, s1, s2
  andi s4, s2, 7
  beqz s4, 2f
  add s3, s3, s0
  ld x0, 0(s3)
2:addi s2, s2, 1
  addi s4, s2, -36
  bnez s4, 1b
  .endm

  test_begin
  take_spm_way
  li t0, 0x1122334455667788
  store_and_evict 0x80400000, 0x40000 // a way of L3: memory has it
  store_and_evict 0x81400040, 0x8000  // a way of L2: L3
  store_and_evict 0x82400080, 0x1000  // a way of L1D: L2
  li s0, 0x834000c0                   // L1D, once another word has waited for the line
  sd t0, 0(s0)
  ld x0, 8(s0)
  li s0, NHG_SPM_BASE + 0x1048
  sd t0, 0(s0)
  fence
  test_end
