// SPDX-License-Identifier: Apache-2.0
// Instructions that must leave no trace on a wrong path: behind a cold branch that resolves late, behind a cold indirect jump, and in the
// shadow of a trap. CSR accesses, traps, returns, fences, atomics, AMI instructions, device accesses, jumps to nowhere.
#include "test.h"
#include "ami.h"

  .option norvc

  // Six times each, so that it is met at different places of a fetch block: s2 = 7, t0 = 20 two divisions later.
  .macro behind_branch bad:vararg
  .rept 6
  li t0, 1000
  div t0, t0, s2
  div t0, t0, s2
  bnez t0, 9f
  \bad
9:addi s3, s3, 1
  .endr
  .endm

  // The front end does not know the target of a cold jump and goes on behind it.
  .macro behind_jump bad:vararg
  .rept 2
  la t1, 9f
  div t0, t1, s2
  mul t0, t0, s2
  rem t2, t1, s2
  add t0, t0, t2
  jr t0
  \bad
9:addi s3, s3, 1
  .endr
  .endm

  // The trap's handler continues at s5.
  .macro behind_trap bad:vararg
  la s5, 9f
  ecall
  \bad
  la s5, 8f
  ld x0, 1(x0)
  \bad
8:j 7f
9:la s5, 7f
  .word 0
  \bad
7:addi s3, s3, 1
  .endm

  .macro never bad:vararg
  behind_branch \bad
  behind_jump \bad
  behind_trap \bad
  .endm
  .set TIMES, 9

  test_begin
  take_spm_way
  la a1, handler
  csrw mtvec, a1
  li s2, 7
  li s3, 0
  li s4, NHG_HOST_EXIT
  li a2, (NHG_LOCAL_BASE + 0x300000)
  li a3, 0x123
  sd a3, 0(a2)
  csrw mscratch, a3
  la s5, 1f
  ecall
1:csrr s1, mstatus
  configure NHG_AMU_CONFIG_SPM_SLOT, 64

  never csrw mscratch, x0
  never csrrw a3, mscratch, a3
  never csrw mtvec, x0
  never csrw mepc, x0
  never csrsi mstatus, 8
  never csrw mie, a1
  never csrwi NHG_CSR_AMUCTL, 0
  never csrw mcycle, x0
  never csrw minstret, x0
  check_eq 1, s3, 9 * TIMES
  csrr a0, mscratch
  check_same 2, a0, a3
  csrr a0, mie
  check_eq 3, a0, 0
  csrr a0, NHG_CSR_AMUCTL
  check_eq 4, a0, 3

  li s3, 0
  never mret
  never ecall
  never ebreak
  never .word 0
  never .word 0xffffffff
  never wfi
  never fence
  never fence.i
  check_eq 10, s3, 8 * TIMES
  csrr a0, mstatus
  check_same 11, a0, s1

  li s3, 0
  never amoadd.d a0, a3, (a2)
  never lr.d a0, (a2)
  never sc.d a0, x0, (a2)
  never sd x0, 0(a2)
  never sd x0, 0(s4)
  never sb x0, 0(s4)
  never ld a0, 1(x0)
  never ld a0, 0(x0)
  never sd a0, 0(x0)
  never amoadd.d a0, a3, (x0)
  never jr x0
  never jr s2
  check_eq 20, s3, 12 * TIMES
  ld a0, 0(a2)
  check_same 21, a0, a3

  // A read of the far-memory control's identification: a device load must not be made twice or on a wrong path, but may be waited for
  li a4, NHG_FAR_CONTROL_LATENCY_CYCLES
  ld s0, 0(a4)
  li s3, 0
  never sd x0, 0(a4)
  never ld a0, 0(a4)
  check_eq 30, s3, 2 * TIMES
  ld a0, 0(a4)
  check_same 31, a0, s0

  // AMI: nothing is requested, configured, taken or waited for
  li a5, REQUEST(5, 0)
  li a6, (NHG_LOCAL_BASE + 0x300000) | SIZE_FIELD(3)
  li a7, 5
  li s3, 0
  never aconfig x0, x0
  never aload a6, a5
  never astore a6, a5
  never aset a7, a7
  never await a6, a5
  never asignal a7
  never aload x0, x0
  never getfin a0
  never bafin a0
  check_eq 40, s3, 9 * TIMES
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 41, a0, 0
  aload a6, a5
1:getfin a0
  beqz a0, 1b
  check_eq 42, a0, 5
  never getfin a0
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 43, a0, 0
  // Finished groups are there while getfin and bafin run on wrong paths; each is taken once
  aload a6, a5
  li t0, REQUEST(6, 0)
  aload a6, t0
  li t0, REQUEST(7, 0)
  aload a6, t0
2:csrr a0, NHG_CSR_AMUSTAT
  li t0, 3 << 16 | 3
  bne a0, t0, 2b
  never getfin a0
  never bafin a0
  li s0, 0
  .rept 3
3:getfin a0
  beqz a0, 3b
  add s0, s0, a0
  .endr
  check_eq 44, s0, 18
  csrr a0, NHG_CSR_AMUSTAT
  check_eq 45, a0, 0

  // Retired instructions are counted, squashed and trapped ones are not: five from one csrr to the next
  csrr a0, minstret
  li t0, 1000
  div t0, t0, s2
  bnez t0, 4f
  ecall
4:nop
  csrr a1, minstret
  sub a0, a1, a0
  check_eq 50, a0, 5
  la s5, 5f
  csrr a0, minstret
  ecall
  nop
5:csrr a1, minstret
  sub a0, a1, a0
  check_eq 51, a0, 3
  j finish

  .align 2
handler:
  csrw mepc, s5
  mret
finish:
  test_end
