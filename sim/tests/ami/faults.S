// SPDX-License-Identifier: Apache-2.0
// Access faults of requests and of the SPM window; none of them requests anything.
#include "test.h"
#include "ami.h"

  // Of an address with bit 38 the bits above are set, too.
  .macro faulting number, address
  aload_at \address, 3, 5, 0
  check_trap \number, 5, (\address) | -((\address) & (1 << 38))
  astore_at \address, 3, 5, 0
  check_trap \number, 7, (\address) | -((\address) & (1 << 38))
  csrr a0, NHG_CSR_AMUSTAT
  check_eq \number, a0, 0
  .endm

  test_begin
  take_spm_way
  faulting 1, 0
  faulting 2, NHG_BOOT_ROM_BASE
  faulting 3, NHG_HOST_BASE
  faulting 4, NHG_SPM_BASE
  faulting 5, 0x7ffffff8
  faulting 6, NHG_FAR_BASE + NHG_FAR_SIZE
  faulting 7, 0x7ffffffff8

  // SPM window: plain aligned accesses only.
  li s0, NHG_SPM_BASE
  li t0, 0x8899aabbccddeeff
  sd t0, 64(s0)
  ld a0, 64(s0)
  check_same 8, a0, t0
  lb a0, 64(s0)
  check_eq 9, a0, -1
  lhu a0, 66(s0)
  check_eq 10, a0, 0xccdd
  lwu a0, 68(s0)
  check_eq 11, a0, 0x8899aabb
  sh x0, 66(s0)
  ld a0, 64(s0)
  check_eq 12, a0, 0x8899aabb0000eeff
  check_no_trap 13
  lr.d a0, (s0)
  check_trap 14, 5, NHG_SPM_BASE
  sc.d a0, x0, (s0)
  check_trap 15, 7, NHG_SPM_BASE
  amoadd.w a0, x0, (s0)
  check_trap 16, 7, NHG_SPM_BASE
  lw a0, 2(s0)
  check_trap 17, 4, NHG_SPM_BASE + 2
  sd a0, 4(s0)
  check_trap 18, 6, NHG_SPM_BASE + 4
  la s6, after_fetch
  jr s0
after_fetch:
  check_trap 19, 1, NHG_SPM_BASE
  check_same 20, s9, s0
  li t0, NHG_SPM_BASE + NHG_SPM_SIZE
  ld a0, 0(t0)
  check_trap 21, 5, NHG_SPM_BASE + NHG_SPM_SIZE
  sd a0, -8(t0)
  check_no_trap 22

  // Way given back: window and requests fault; data written afterwards is there again.
  csrwi NHG_CSR_AMUCTL, 1
  ld a0, 0(s0)
  check_trap 23, 5, NHG_SPM_BASE
  sd a0, 0(s0)
  check_trap 24, 7, NHG_SPM_BASE
  aload_at NHG_FAR_BASE, 3, 5, 0
  check_trap 25, 5, NHG_FAR_BASE
  csrwi NHG_CSR_AMUCTL, 3
  sd s0, 0(s0)
  ld a0, 0(s0)
  check_same 26, a0, s0
  aload_at NHG_FAR_BASE, 3, 5, 0
  wait_any a0
  check_eq 27, a0, 5
  check_no_trap 28
  test_end
