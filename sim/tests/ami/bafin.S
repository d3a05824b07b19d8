// SPDX-License-Identifier: Apache-2.0
// bafin: task word, forward and backward targets, fall-through when nothing is finished, a dispatch loop.
#include "test.h"
#include "ami.h"

#define FAR_DATA NHG_FAR_BASE
#define HANDLERS (NHG_LOCAL_BASE + 0x200000)
#define HANDLER_BYTES 48

  test_begin
  take_spm_way
  configure NHG_AMU_CONFIG_HANDLER_BASE, HANDLERS
  configure NHG_AMU_CONFIG_HANDLER_SIZE, HANDLER_BYTES
  configure NHG_AMU_CONFIG_SPM_SLOT, 64
  la x30, middle
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31

  // Nothing finished: rd = 0, next instruction.
  li a0, 5
  bafin a0
  check_eq 1, a0, 0

  // Forward.
  la t0, forward
  la t1, middle
  sub t0, t0, t1
  srai t0, t0, 1
  slli t0, t0, 43
  srli t0, t0, 4
  li t1, FAR_DATA | SIZE_FIELD(3)
  or t0, t0, t1
  li t1, 7
  aload t0, t1
1:bafin a0
  beqz a0, 1b
  check_eq 2, x0, 1
  nop
backward:
  li t0, (7 * 64) << 39 | (HANDLERS + 7 * HANDLER_BYTES)
  check_same 3, a0, t0
  j dispatch
  .space 64
middle:
  .space 64
forward:
  li t0, (7 * 64) << 39 | (HANDLERS + 7 * HANDLER_BYTES)
  check_same 4, a0, t0

  // Backward, same ID again.
  la t0, backward
  la t1, middle
  sub t0, t0, t1
  srai t0, t0, 1
  slli t0, t0, 43
  srli t0, t0, 4
  li t1, FAR_DATA | SIZE_FIELD(3)
  or t0, t0, t1
  li t1, 7
  aload t0, t1
2:bafin a0
  beqz a0, 2b
  check_eq 5, x0, 1

  // 100 coroutines, each resumed 20 times through two alternating resume points, which add 1 and 100 to the
  // coroutine's counter and check the value loaded for them.
#define COROUTINES 100
#define ROUNDS 20
dispatch:
  li s0, FAR_DATA
  li s5, NHG_SPM_BASE
  la x30, points
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31
  la t1, points
  la s2, point_a
  sub s2, s2, t1
  srai s2, s2, 1
  slli s2, s2, 43
  srli s2, s2, 4
  la s3, point_b
  sub s3, s3, t1
  srai s3, s3, 1
  slli s3, s3, 43
  srli s3, s3, 4
  li t1, SIZE_FIELD(3)
  or s2, s2, t1
  or s3, s3, t1
  li s1, COROUTINES
  li t0, 1
3:slli t1, t0, 12
  add t1, t1, s0
  sd t0, 0(t1)
  sd t0, 8(t1)
  li t2, HANDLER_BYTES
  mul t2, t2, t0
  li t3, HANDLERS
  add t2, t2, t3
  sd x0, 0(t2)
  li t3, ROUNDS
  sd t3, 8(t2)
  or t1, t1, s2
  aload t1, t0
  addi t0, t0, 1
  li t1, COROUTINES
  bleu t0, t1, 3b

points:
schedule:
  bafin a0
  bnez a0, never
  bnez s1, schedule
  j all_done
never:
  check_eq 6, x0, 1

  // context in t0, slot in t1, ID in t2
  .macro unpack
  slli t0, a0, 25
  srli t0, t0, 25
  srli t1, a0, 39
  srli t2, t1, 6
  add t1, t1, s5
  .endm

point_a:
  unpack
  ld t3, 0(t1)
  check_same 7, t3, t2
  ld t3, 0(t0)
  addi t3, t3, 1
  sd t3, 0(t0)
  slli t3, t2, 12
  add t3, t3, s0
  addi t3, t3, 8
  or t3, t3, s3
  aload t3, t2
  j schedule

point_b:
  unpack
  ld t3, 0(t1)
  check_same 8, t3, t2
  ld t3, 0(t0)
  addi t3, t3, 100
  sd t3, 0(t0)
  ld t3, 8(t0)
  addi t3, t3, -1
  sd t3, 8(t0)
  beqz t3, 4f
  slli t3, t2, 12
  add t3, t3, s0
  or t3, t3, s2
  aload t3, t2
  j schedule
4:addi s1, s1, -1
  j schedule

all_done:
  li t0, 1
5:li t2, HANDLER_BYTES
  mul t2, t2, t0
  li t3, HANDLERS
  add t2, t2, t3
  ld t3, 0(t2)
  check_eq 9, t3, 101 * ROUNDS
  addi t0, t0, 1
  li t1, COROUTINES
  bleu t0, t1, 5b
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 10, a0, 0
  check_no_trap 11
  test_end
