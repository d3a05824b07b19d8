// SPDX-License-Identifier: Apache-2.0
// Jumps, returns and vectors to addresses without memory: at the borders of Sv39's halves, of what a program counter holds, and anywhere. Whatever is
// taken there, a fault, a breakpoint or an interrupt, has the whole address.
#include "test.h"
#include "ami.h"

#define STATUS_MIE (1 << 3)
#define STATUS_SPP (1 << 8)
#define STATUS_MPP (3 << 11)
#define SSI 1
#define ENTER_U 0
#define ENTER_S (1 << 11)
#define ENTER_M (3 << 11)
#define MCONTROL_EXECUTE ((1 << 6) | (1 << 2))
#define NOT_BELOW (2 << 7)
#define ROUNDS 3

  // Check `number`: one trap, of this cause, at the address in a1, with the value in a2.
  .macro check_there number, cause
  li s10, \number
  li x31, 1
  bne s11, x31, test_fail
  li s11, 0
  li x31, \cause
  bne s7, x31, test_fail
  bne s8, a2, test_fail
  bne s9, a1, test_fail
  .endm

  // mret to the address in a1.
  .macro mret_to mode
  li x31, STATUS_MPP
  csrc mstatus, x31
  li x31, \mode
  csrs mstatus, x31
  csrw mepc, a1
  mret
  .endm

  // Jumps and returns to the address in a1, some twice, when the predictors have seen them.
there:
  mv s5, ra
  mv a2, a1
  li s0, ROUNDS
1:la s6, 2f
  jr a1
2:check_there 1, 1
  la s6, 3f
  addi t0, a1, 7
  jalr ra, -6(t0)
  .option push
  .option norvc
3:check_there 2, 1
  la t1, 3b
  check_same 3, ra, t1
  .option pop
  la s6, 4f
  addi ra, a1, -2046
  jalr x0, 2046(ra)
4:check_there 4, 1
  addi s0, s0, -1
  bnez s0, 1b
  la s6, 5f
  mret_to ENTER_M
5:check_there 5, 1
  la s6, 6f
  mret_to ENTER_U
6:ecall
  check_there 6, 1
  la s6, 7f
  li t0, STATUS_SPP
  csrs mstatus, t0
  csrw sepc, a1
  sret
7:ecall
  check_there 7, 1

  // An interrupt comes first: a1 is where it goes on
  csrci mstatus, STATUS_MIE
  csrsi mie, 1 << SSI
  csrsi mip, 1 << SSI
  la s6, 8f
  li a2, 0
  mret_to ENTER_S
8:ecall
  check_there 8, (1 << 63) | SSI
  csrci mie, 1 << SSI
  mv a2, a1

  // So does a breakpoint there, and none elsewhere
  csrsi mstatus, STATUS_MIE
  csrw tdata2, a1
  li t0, MCONTROL_EXECUTE
  csrw tdata1, t0
  la s6, 9f
  jr a1
9:check_there 9, 3
  csrw tdata1, x0
  xori t1, a1, -2048
  csrw tdata2, t1
  csrw tdata1, t0
  la s6, 10f
  jr a1
10:check_there 10, 1
  // Ranges
  csrw tdata1, x0
  csrw tdata2, a1
  li t0, MCONTROL_EXECUTE | NOT_BELOW
  csrw tdata1, t0
  la s6, 11f
  jr a1
11:csrw tdata1, x0
  check_there 11, 3
  csrci mstatus, STATUS_MIE
  mv ra, s5
  ret

  // A trap of U mode that goes to S mode, whose vector is at the address in a1 if that can be one.
  .macro vector number
  la s6, 1f
  li x31, STATUS_MPP
  csrc mstatus, x31
  la x31, 2f
  csrw mepc, x31
  mret
2:ebreak
1:ecall
  check_there \number, 1
  csrr t0, sepc
  la t1, 2b
  check_same \number, t0, t1
  .endm

  test_begin
  la x31, trapped
  csrw mtvec, x31
  li t0, -1
  csrw pmpaddr0, t0
  csrwi pmpcfg0, 0x1f
  li s3, 20
  la s2, addresses
next_address:
  ld a1, 0(s2)
  jal there
  li t0, 1 << 3 // breakpoints
  csrw medeleg, t0
  andi a1, a1, -4
  mv a2, a1
  csrw stvec, a1
  vector 12
  csrw medeleg, x0
  addi s2, s2, 8
  addi s3, s3, -1
  bnez s3, next_address

  // The last address that a breakpoint's range has, and the next one
  csrsi mstatus, STATUS_MIE
  li a1, -0x4000000002
  li t0, -0x4000000000
  csrw tdata2, t0
  li t0, MCONTROL_EXECUTE | NOT_BELOW
  csrw tdata1, t0
  mv a2, a1
  la s6, 1f
  jr a1
1:check_there 13, 1
  addi a1, a1, 2
  mv a2, a1
  la s6, 1f
  jr a1
1:csrw tdata1, x0
  check_there 14, 3
  csrci mstatus, STATUS_MIE

  // A group's target
  take_spm_way
  .macro resume number, target
  li x30, \target
  li x31, NHG_AMU_CONFIG_TARGET_BASE
  aconfig x30, x31
  li t0, NHG_FAR_BASE | SIZE_FIELD(3)
  li t1, 7
  aload t0, t1
  la s6, 2f
  mv a1, x30
  mv a2, x30
1:bafin a0
  beqz a0, 1b
2:check_there \number, 1
  .endm
  resume 15, 0x3ffffffffe
  resume 16, -0x4000000000
  resume 17, -2
  test_end

  // Goes on at s6; behind an ecall in machine mode.
  .align 2
trapped:
  csrr s7, mcause
  csrr s8, mtval
  csrr s9, mepc
  csrci mip, 1 << SSI
  bltz s7, 1f
  li x31, 8
  bltu s7, x31, 1f
  csrr x31, mepc
  mv s7, s4
  mv s8, a6
  mv s9, a7
  jr 4(x31)
1:addi s11, s11, 1
  mv s4, s7
  mv a6, s8
  mv a7, s9
  csrw mepc, s6
  mret

  .section .rodata
  .align 3
addresses:
  .dword 0x3ffffffffe, 0x4000000000, 0x4000000002, -0x4000000000, -0x4000000002, -0x3ffffffffe
  .dword 0x7ffffffffe, 0x8000000000, 0x8000000002, -0x8000000000, -0x8000000002, -0x7ffffffffe
  .dword -2, -4, 0x7ffffffffffffffe, 0x8000000000000000, 0x4000000000000000, 0x0123456789abcdee, 0xfedcba9876543210, 0xffffff0000000000
