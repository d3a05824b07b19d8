// SPDX-License-Identifier: Apache-2.0
// Two loads of one word while a request writes it, with or without an atomic or a fence between them (rule 6): the elder, whose address comes late,
// may see the word's old value or its new one, and then the younger sees the new one. Every variant at many distances from the request.
#include "test.h"
#include "ami.h"

#define WORD (NHG_LOCAL_BASE + 0x400040)
#define OTHER (NHG_LOCAL_BASE + 0x500000)
#define SLOT (NHG_SPM_BASE + 64) // of ID 1
#define FS_INITIAL 0x2000
#define NEW 0x7777777777777777

  // Old value 0 in the word, which the core has in its cache, and the request on its way.
  .macro begin_store
  li s0, WORD
  sd s3, 0(s4)
  sd x0, 0(s0)
  fence
  ld a0, 0(s0)
  astore s1, s2
  .endm
  .macro begin_load
  li s0, WORD
  sd s3, 0(s0)
  li s0, SLOT
  sd x0, 0(s0)
  fence
  aload s1, s2
  .endm

  // a0 = s0, `mults` multiplications later
  .macro late mults
  fmv.d.x fa1, x0
  fmv.d.x fa2, x0
  li a0, 0
  .rept \mults
  mul a0, a0, a0
  .endr
  add a0, a0, s0
  .endm

  // a1 what the elder load saw, a2 what the younger saw
  .macro check_order number
9980:
  getfin a5
  beqz a5, 9980b
  snez a1, a1
  snez a2, a2
  sltu a3, a2, a1
  check_eq \number, a3, 0
  .endm

  .macro all_variants mults
  begin_store
  late \mults
  ld a1, 0(a0)
  ld a2, 0(s0)
  check_order 1

  begin_store
  late \mults
  lw a1, 4(a0)
  ld a2, 0(s0)
  check_order 2

  begin_store
  late \mults
  fld fa1, 0(a0)
  fld fa2, 0(s0)
  fmv.x.d a1, fa1
  fmv.x.d a2, fa2
  check_order 3

  begin_store
  late \mults
  lr.d a1, (a0)
  ld a2, 0(s0)
  check_order 4

  begin_store
  late \mults
  lr.d.aq a1, (a0)
  ld a2, 0(s0)
  check_order 5

  begin_store
  late \mults
  ld a1, 0(a0)
  amoadd.d.aqrl x0, x0, (s5)
  ld a2, 0(s0)
  check_order 6

  begin_store
  late \mults
  ld a1, 0(a0)
  fence
  ld a2, 0(s0)
  check_order 7

  begin_load
  late \mults
  ld a1, 0(a0)
  ld a2, 0(s0)
  check_order 8

  begin_load
  late \mults
  ld a1, 0(a0)
  amoadd.d.aqrl x0, x0, (s5)
  fld fa2, 0(s0)
  fmv.x.d a2, fa2
  check_order 9
  .endm

  test_begin
  take_spm_way
  li t0, FS_INITIAL
  csrs mstatus, t0
  configure NHG_AMU_CONFIG_SPM_BASE, NHG_SPM_BASE
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  li s1, WORD | SIZE_FIELD(3)
  li s2, REQUEST(1, 0)
  li s3, NEW
  li s4, SLOT
  li s5, OTHER
  sd x0, 0(s5)
  li s6, 2
again:
  .irp mults, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 33, 36, 39, 42, 45, 48, 51, 54
  all_variants \mults
  .endr
  addi s6, s6, -1
  beqz s6, done
  j again
done:
  check_no_trap 10
  test_end
