// SPDX-License-Identifier: Apache-2.0
// Traps in trap handlers, to eight levels and of every kind; traps right behind writes of the CSRs they use; traps back to back.
#include "test.h"
#include "ami.h"

  // One frame per level: mepc, mcause, mtval, mstatus.
  .macro save
  addi sp, sp, -32
  csrr x30, mepc
  sd x30, 0(sp)
  csrr x30, mcause
  sd x30, 8(sp)
  csrr x30, mtval
  sd x30, 16(sp)
  csrr x30, mstatus
  sd x30, 24(sp)
  .endm

  .macro check_csr number, csr, value
  csrr a0, \csr
  check_eq \number, a0, \value
  .endm

  .option norvc
  test_begin
  // A handler that traps with ecall until it is eight deep, and finds its own CSRs again on the way back
  la a1, recurse
  csrw mtvec, a1
  li s0, 0
  li s1, 0
  ecall
  check_eq 1, s0, 8
  check_eq 2, s1, 8
  la a1, __stack_top
  check_same 3, sp, a1

  // MPIE tells whether MIE was set; the handler of the inner trap sees it clear
  la a1, inspect
  csrw mtvec, a1
  csrsi mstatus, 8
  ecall
  check_eq 4, a2, 0xa00001880
  check_eq 5, a3, 0xa00001800
  check_csr 6, mstatus, 0xa00000088
  csrci mstatus, 8

  // Each kind of trap inside a handler; s2 and s3 point to nothing
  li s2, 8
  li s3, -8
  .macro inner number, cause, tval, kind:vararg
  la a1, 1f
  csrw mtvec, a1
  li a4, 0
  ecall
  j 4f
  .align 2
1:la a1, 2f
  csrw mtvec, a1
  csrr a5, mepc
  la s6, 3f
  \kind
3:addi a5, a5, 4
  csrw mepc, a5
  addi a4, a4, 1
  mret_to_machine x30
  .align 2
2:csrr s7, mcause
  csrr s8, mtval
  csrw mepc, s6
  addi a4, a4, 10
  mret
4:check_eq \number, a4, 11
  check_eq \number, s7, \cause
  check_eq \number, s8, \tval
  .endm
  inner 10, 11, 0, ecall
  inner 11, 2, 0, .word 0
  inner 12, 2, 0xffffffff, .word 0xffffffff
  inner 13, 4, 3, ld a0, 3(x0)
  inner 14, 5, 8, ld a0, 8(x0)
  inner 15, 6, 3, sd a0, 3(x0)
  inner 16, 7, 8, sd a0, 8(x0)
  inner 17, 7, 8, amoadd.d a0, a0, (s2)
  inner 18, 1, 8, jr s2
  inner 19, 1, 0xfffffffffffffff8, jr s3
  inner 20, 24, AMU_TVAL(NHG_AMU_ERROR_BAD_ID, 0), asignal x0
  inner 21, 2, 0xc0001073, csrw cycle, x0

  // The trap right behind the write of mtvec, mret right behind the write of mepc, traps back to back
  la a1, count
  csrw mtvec, a1
  ecall
  ecall
  .word 0
  ld a0, 1(x0)
  .word 0
  check_eq 30, a6, 5
  la a1, 1f
  li x30, 3 << 11
  csrs mstatus, x30
  csrw mepc, a1
  mret
  check_eq 31, x0, 1
1:ecall
  check_eq 32, a6, 6

  // The first instruction of the handler traps, into a handler behind it
  la a1, 2f
  la a2, 3f
  li s0, 0
  csrw mtvec, a1
  ecall
  j 4f
  .align 2
2:csrrw a2, mtvec, a2
  ecall
  addi s0, s0, 1
  j 4f
  .align 2
3:csrr a3, mepc
  addi a3, a3, 4
  csrw mepc, a3
  addi s0, s0, 10
  mret
4:check_eq 33, s0, 11

  // A trap behind instructions that take long: their results are there in the handler
  la a1, 5f
  csrw mtvec, a1
  li t0, (NHG_FAR_BASE + 0x300000)
  li t1, 1234567
  sd t1, 0(t0)
  ld t2, 0(t0)
  li t3, 1000
  div t4, t1, t3
  ecall
  li t2, 0
  li t4, 0
  .align 2
5:check_eq 34, t2, 1234567
  check_eq 35, t4, 1234
  j finish

  .align 2
recurse:
  save
  addi s0, s0, 1
  li a0, 8
  beq s0, a0, 1f
  ecall
1:ld x30, 0(sp)
  addi x30, x30, 4
  csrw mepc, x30
  ld x31, 8(sp)
  addi x31, x31, -11
  seqz x31, x31
  add s1, s1, x31
  addi sp, sp, 32
  mret_to_machine x30

  .align 2
inspect:
  csrr a2, mstatus
  save
  la a1, 1f
  csrw mtvec, a1
  ecall
  ld x30, 0(sp)
  addi x30, x30, 4
  csrw mepc, x30
  ld x30, 24(sp)
  csrw mstatus, x30
  addi sp, sp, 32
  mret
  .align 2
1:csrr a3, mstatus
  csrr x30, mepc
  addi x30, x30, 4
  csrw mepc, x30
  mret

  .align 2
count:
  addi a6, a6, 1
  csrr x30, mepc
  addi x30, x30, 4
  csrw mepc, x30
  mret

finish:
  test_end
