// SPDX-License-Identifier: Apache-2.0
//
// Atomics, loads and stores on the lower half of a line, requests on its upper half, a few instructions apart: the AMU's
// lookup takes the line from L1D while an atomic waits for it. Every access gets on, and nothing is lost.
#include "test.h"
#include "ami.h"

#define LOCAL_LINE (NHG_LOCAL_BASE + 0x400000)
#define FAR_LINE (NHG_FAR_BASE + 0x400000)

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 64

  .macro gap n
  .rept \n
  nop
  .endr
  .endm

  // Brings the line in s0 into L1D with its first word 0; s1 address word of its second word, s2 request word.
  .macro begin
  sd x0, 0(s0)
  ld a0, 0(s0)
  fence
  ori s1, s0, 8
  li t0, SIZE_FIELD(3)
  or s1, s1, t0
  li s2, 1
  li s3, 3
  .endm

  .macro end number, sum
  wait_any a5
  fence
  ld a0, 0(s0)
  check_eq \number, a0, \sum
  .endm

  .macro all_gaps number
  .irp n, 0,1,2,3,4,5,6,8,12,20
  // an AMO, a request, two AMOs
  begin
  amoadd.d a0, s3, (s0)
  astore s1, s2
  gap \n
  amoadd.d a0, s3, (s0)
  amoadd.d a0, s3, (s0)
  end \number, 9
  begin
  amoadd.d a0, s3, (s0)
  aload s1, s2
  gap \n
  amoadd.d a0, s3, (s0)
  amoadd.d a0, s3, (s0)
  end \number + 1, 9
  // acquire and release
  begin
  amoswap.d.aq a0, s3, (s0)
  astore s1, s2
  gap \n
  amoswap.d.rl a0, s3, (s0)
  amoswap.d.aq a0, s3, (s0)
  end \number + 2, 3
  // LR without any AMO
  begin
  lr.d a0, (s0)
  astore s1, s2
  gap \n
  lr.d a0, (s0)
  lr.d a0, (s0)
  end \number + 3, 0
  // LR and SC until the SC succeeds
  begin
  astore s1, s2
  gap \n
9980:
  lr.d a0, (s0)
  addi a0, a0, 7
  sc.d a1, a0, (s0)
  bnez a1, 9980b
  end \number + 4, 7
  // loads and stores
  begin
  astore s1, s2
  gap \n
  sd s3, 0(s0)
  amoadd.d a0, s3, (s0)
  lw a0, 0(s0)
  amoadd.d a0, s3, (s0)
  end \number + 5, 9
  .endr
  .endm

  li s0, LOCAL_LINE
  all_gaps 1
  li s0, FAR_LINE
  all_gaps 11

  // Many requests on the line while the program spins on it with atomics.
  .macro burst number
  sd x0, 0(s0)
  ori s1, s0, 32
  li t0, SIZE_FIELD(3)
  or s1, s1, t0
  li s2, 1
  li s3, 3
  li a2, 64
9970:
  astore s1, s2
  addi s2, s2, 1
  amoadd.d a0, s3, (s0)
  addi a2, a2, -1
  bnez a2, 9970b
  li a2, 64
9971:
  amoadd.d a0, s3, (s0)
  getfin a5
  beqz a5, 9971b
  addi a2, a2, -1
  bnez a2, 9971b
  .endm
  li s0, LOCAL_LINE
  burst 21
  li s0, FAR_LINE
  burst 22
  test_end
