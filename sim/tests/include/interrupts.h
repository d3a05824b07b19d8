// SPDX-License-Identifier: Apache-2.0
//
// Interrupt handlers of machine and supervisor mode for self-checking programs, on top of test.h and modes.h. Begin with interrupts_begin behind
// test_begin, place interrupt_handlers where nothing runs into it. A handler leaves s7, s8, s9 (cause, value, pc) and counts in s11, as those of modes.h
// do; it ends the interrupt that it takes: msip, mtimecmp, or the bit of mip; in supervisor mode that of sip or, if that does not end it, of sie. It changes
// no other register. An ecall goes on behind it in the mode of the handler.
#ifndef NHG_INTERRUPTS_H
#define NHG_INTERRUPTS_H

#define SSI 1
#define MSI 3
#define STI 5
#define MTI 7
#define SEI 9
#define MEI 11
#define ALL_INTERRUPTS 0xaaa
#define SUPERVISOR_INTERRUPTS 0x222
#define INTERRUPT (1 << 63)

  .macro interrupts_begin
  la x31, machine_handler
  csrw mtvec, x31
  la x31, supervisor_handler
  csrw stvec, x31
  .endm

  .macro set_msip
  li x31, NHG_CLINT_MSIP
  li x30, 1
  sw x30, 0(x31)
  .endm

  // So many ticks from now.
  .macro set_timer ticks
  li x31, NHG_CLINT_MTIME
  ld x30, 0(x31)
  addi x30, x30, \ticks
  li x31, NHG_CLINT_MTIMECMP
  sd x30, 0(x31)
  .endm

  .macro set_bits csr, bits
  li x31, \bits
  csrs \csr, x31
  .endm
  .macro clear_bits csr, bits
  li x31, \bits
  csrc \csr, x31
  .endm

  // Check `number`: `count` in s11, and the last interrupt, taken in place of the instruction at `place`.
  .macro check_interrupt number, count, interrupt, place
  check_taken \number, \count, INTERRUPT | \interrupt, 0
  la x31, \place
  bne s9, x31, test_fail
  .endm

  .macro interrupt_handlers
  .align 2
machine_handler:
  csrw mscratch, x31
  csrr s7, mcause
  csrr s8, mtval
  csrr s9, mepc
  bltz s7, 1f
  li x31, 8
  bltu s7, x31, 4f
  jr 4(s9) // ecall
4:addi s11, s11, TRAP_TO_M
  skip_instruction
  csrw mepc, x31
  mret
1:addi s11, s11, TRAP_TO_M
  slli x31, s7, 1
  addi x31, x31, -(MSI << 1)
  bnez x31, 2f
  li x31, NHG_CLINT_MSIP
  sw x0, 0(x31)
  j 5f
2:addi x31, x31, (MSI - MTI) << 1
  bnez x31, 3f
  li x31, NHG_CLINT_MTIMECMP
  li s8, -1
  sd s8, 0(x31)
  j 5f
3:li x31, 1
  sll x31, x31, s7
  csrc mip, x31
5:csrr s8, mtval
  csrr x31, mscratch
  mret

  .align 2
supervisor_handler:
  csrw sscratch, x31
  csrr s7, scause
  csrr s8, stval
  csrr s9, sepc
  bltz s7, 1f
  jr 4(s9)
1:addi s11, s11, TRAP_TO_S
  li x31, 1
  sll x31, x31, s7
  csrc sip, x31
  csrr s8, sip
  and x31, x31, s8
  csrc sie, x31
  csrr s8, stval
  csrr x31, sscratch
  sret
  .endm

  // Check `number`: what mip reads.
  .macro check_pending number, expected
  csrr a0, mip
  check_eq \number, a0, \expected
  .endm

#endif
