// SPDX-License-Identifier: Apache-2.0
//
// Trap handlers of machine and supervisor mode for programs that change modes, on top of test.h. Begin with modes_begin behind test_begin, place
// mode_handlers where nothing runs into it. They leave s7, s8, s9 (cause, value, pc) and count in s11: a trap to machine mode 1, to supervisor mode
// TRAP_TO_S. An ecall with s10 = 0 is a trap like others; others ask for a mode: see to_machine and stay. While TSR is set, illegal instructions of S
// mode must not be delegated.
#ifndef NHG_MODES_H
#define NHG_MODES_H

#define USER 0
#define SUPERVISOR 1
#define MACHINE 3
#define TRAP_TO_M 1
#define TRAP_TO_S 0x100
#define STATUS_SIE (1 << 1)
#define STATUS_MIE (1 << 3)
#define STATUS_SPIE (1 << 5)
#define STATUS_MPIE (1 << 7)
#define STATUS_SPP (1 << 8)
#define STATUS_MPP (3 << 11)
#define STATUS_FS (3 << 13)
#define STATUS_MPRV (1 << 17)
#define STATUS_SUM (1 << 18)
#define STATUS_MXR (1 << 19)
#define STATUS_TVM (1 << 20)
#define STATUS_TW (1 << 21)
#define STATUS_TSR (1 << 22)
#define STATUS_64_BITS (0xa << 32)
// s10 of an ecall
#define ASK_STAY 1
#define ASK_MACHINE 2
#define ASK_FORWARDED 3

  .macro modes_begin
  la x31, machine_trap
  csrw mtvec, x31
  la x31, supervisor_trap
  csrw stvec, x31
  .endm

  // From machine mode.
  .macro enter mode
  csrci mstatus, STATUS_MIE // an interrupt would lose MPP and mepc
  li x31, STATUS_MPP
  csrc mstatus, x31
  li x31, \mode << 11
  csrs mstatus, x31
  la x31, 9f
  csrw mepc, x31
  mret
9:
  .endm

  // From any mode, if ecalls of S mode are not delegated.
  .macro to_machine
  li s10, ASK_MACHINE
  .word 0x73 // ecall
  .endm

  // Into the mode that takes an ecall.
  .macro stay
  li s10, ASK_STAY
  .word 0x73
  .endm

  .macro plain_ecall
  li s10, 0
  .word 0x73
  .endm

  // The next instruction's address behind the one at s9 in x31.
  .macro skip_instruction
  lhu x30, 0(s9)
  andi x30, x30, 3
  addi x31, s9, 2
  addi x30, x30, -3
  bnez x30, 8f
  addi x31, s9, 4
8:
  .endm

  // Branches to `other` unless the trap is an ecall that asks for something.
  .macro unless_asked other
  beqz s10, \other
  addi x31, s7, -8
  sltiu x31, x31, 4
  beqz x31, \other
  .endm

  .macro mode_handlers
  .align 2
machine_trap:
  csrr s9, mepc
  csrr s7, mcause
  csrr s8, mtval
  la x31, supervisor_return
  bne s9, x31, 1f
  li x31, STATUS_TSR // it trapped under TSR: again without
  csrc mstatus, x31
  mret
1:unless_asked 3f
  li x31, ASK_FORWARDED
  bne s10, x31, 2f
  csrr s9, sepc
2:li s10, 0
  jr 4(s9)
3:addi s11, s11, TRAP_TO_M
  li x31, 1
  beq s7, x31, 5f
  li x31, 12
  bne s7, x31, 4f
5:csrw mepc, s6
  mret
4:skip_instruction
  csrw mepc, x31
  li x31, 0
  mret

  .align 2
supervisor_trap:
  csrr s9, sepc
  csrr s7, scause
  csrr s8, stval
  unless_asked 3f
  li x31, ASK_STAY
  beq s10, x31, 2f
  li s10, ASK_FORWARDED
  .word 0x73
2:li s10, 0
  jr 4(s9)
3:addi s11, s11, TRAP_TO_S
  li x31, 1
  beq s7, x31, 5f
  li x31, 12
  bne s7, x31, 4f
5:csrw sepc, s6
  j supervisor_return
4:skip_instruction
  csrw sepc, x31
  li x31, 0
supervisor_return:
  sret
  .endm

#endif
