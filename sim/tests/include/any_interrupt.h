// SPDX-License-Identifier: Apache-2.0
//
// Vectors of machine and supervisor mode for random programs that interrupts come to anywhere, in front of the handlers of modes.h, direct or vectored.
// An interrupt changes nothing but mscratch or sscratch, and ends: msip, the bit of mip and stimecmp are cleared, the timer of M mode comes again within
// five ticks, S mode clears its bit of sie. At one from outside M mode takes all from the UART, then claims and completes for both
// modes. As long as MTIE stays set, no wfi sleeps for longer than that. While TSR is set, none may be delegated.
#ifndef NHG_ANY_INTERRUPT_H
#define NHG_ANY_INTERRUPT_H

#include "devices.h"

#define MTIE (1 << 7)

  .macro interrupts_begin
  la x31, machine_vectors
  csrw mtvec, x31
  la x31, supervisor_vectors
  csrw stvec, x31
  li x31, MTIE
  csrw mie, x31
  li x31, NHG_CLINT_MTIMECMP
  sd x0, 0(x31)
  plic_begin NHG_PLIC_ENABLE_MACHINE, NHG_PLIC_THRESHOLD_MACHINE
  put sw, NHG_PLIC_ENABLE_SUPERVISOR, UART_LINE
  put sb, NHG_UART_INTERRUPT_ENABLE, UART_RECEIVE
  .endm

  // Completes also what the program has claimed.
  .macro claim_and_complete claim
  li x31, \claim
  lw x30, 0(x31)
  li x30, NHG_PLIC_UART_SOURCE
  sw x30, 0(x31)
  .endm

  .macro interrupt_vectors
  .align 6
  .option push
  .option norvc
machine_vectors:
  j machine_any
  .rept 11
  j machine_interrupt
  .endr
  .align 6
supervisor_vectors:
  j supervisor_any
  .rept 11
  j supervisor_interrupt
  .endr
  .option pop

machine_any:
  csrw mscratch, x31
  csrr x31, mcause
  bgez x31, machine_trap
  csrr x31, mscratch
machine_interrupt:
  csrw mscratch, x31
  la x31, machine_kept
  sd x30, 0(x31)
  csrr x30, mcause
  andi x31, x30, 15
  addi x31, x31, -7
  bnez x31, 1f
  li x31, NHG_CLINT_MTIME // comes again
  ld x30, 0(x31)
  csrr x31, mcycle
  andi x31, x31, 3
  add x30, x30, x31
  addi x30, x30, 1
  li x31, NHG_CLINT_MTIMECMP
  sd x30, 0(x31)
  j 3f
1:addi x31, x31, 7 - 3
  bnez x31, 2f
  li x31, NHG_CLINT_MSIP
  sw x0, 0(x31)
  j 3f
2:li x31, 1
  sll x31, x31, x30
  csrc mip, x31
  li x31, -1
  csrw 0x14d, x31 // stimecmp
  andi x30, x30, 8
  beqz x30, 3f
  li x31, NHG_UART_INTERRUPT_ID // external
  lbu x30, 0(x31)
4:lw x30, NHG_UART_LINE_STATUS - NHG_UART_INTERRUPT_ID(x31)
  andi x30, x30, UART_DATA_READY
  beqz x30, 5f
  lbu x30, NHG_UART_DATA - NHG_UART_INTERRUPT_ID(x31)
  j 4b
5:claim_and_complete NHG_PLIC_CLAIM_MACHINE
  claim_and_complete NHG_PLIC_CLAIM_SUPERVISOR
3:la x31, machine_kept
  ld x30, 0(x31)
  csrr x31, mscratch
  mret

supervisor_any:
  csrw sscratch, x31
  csrr x31, scause
  bgez x31, supervisor_trap
  csrr x31, sscratch
supervisor_interrupt:
  csrw sscratch, x31
  la x31, supervisor_kept
  sd x30, 0(x31)
  csrr x30, scause
  li x31, 1
  sll x31, x31, x30
  csrc sip, x31
  csrr x30, sip
  and x31, x31, x30
  csrc sie, x31
  la x31, supervisor_kept
  ld x30, 0(x31)
  csrr x31, sscratch
  sret

  .pushsection .data
  .align 3
machine_kept: .dword 0
supervisor_kept: .dword 0
  .popsection
  .endm

#endif
