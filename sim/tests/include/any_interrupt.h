// SPDX-License-Identifier: Apache-2.0
//
// Vectors of machine and supervisor mode for random programs that interrupts come to anywhere, in front of the handlers of modes.h, direct or vectored.
// An interrupt changes nothing but mscratch or sscratch, and ends: msip, the bit of mip and stimecmp are cleared, the timer of M mode comes again within
// five ticks, S mode clears its bit of sie. As long as MTIE stays set, no wfi sleeps for longer than that. While TSR is set, none may be delegated.
#ifndef NHG_ANY_INTERRUPT_H
#define NHG_ANY_INTERRUPT_H

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
  .endm

  .macro interrupt_vectors
  .option push
  .option norvc
  .align 6
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
