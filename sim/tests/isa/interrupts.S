// SPDX-License-Identifier: Apache-2.0
// Which interrupt is taken, when and in which mode: enable bits, priority, delegation, vectors; precise, and at once after what lets it in.
#include "test.h"
#include "modes.h"
#include "interrupts.h"

  // Nothing is taken, though it is pending.
  .macro check_none number
  nop
  nop
  check_no_trap \number
  .endm
  .macro prepare delegated
  csrw mip, x0
  li x31, \delegated
  csrw mideleg, x31
  li x31, ALL_INTERRUPTS
  csrw mie, x31
  .endm
  // From U or S mode.
  .macro back
  .word 0x73
  .endm

  test_begin
  interrupts_begin
  li a0, -1
  csrw mcounteren, a0

  // Each interrupt of M mode; a CSR's write lets it in before the next instruction
  prepare 0
  csrsi mstatus, STATUS_MIE
  .irp interrupt, SSI, STI, SEI
  set_bits mip, 1 << \interrupt
9:check_interrupt 1, 1, \interrupt, 9b
  .endr
  set_msip
1:beqz s11, 1b
  check_taken 2, 1, INTERRUPT | MSI, 0
  set_timer 1
1:beqz s11, 1b
  check_taken 3, 1, INTERRUPT | MTI, 0
  csrci mstatus, STATUS_MIE

  // mstatus, mie and xRET let it in, as well
  set_bits mip, 1 << SEI
  check_none 4
  csrsi mstatus, STATUS_MIE
2:check_interrupt 5, 1, SEI, 2b
  csrw mie, x0
  set_bits mip, 1 << STI
  check_none 6
  li a0, 1 << STI
  csrw mie, a0
3:check_interrupt 7, 1, STI, 3b
  prepare 0
  csrci mstatus, STATUS_MIE
  set_bits mip, 1 << SSI
  li a0, STATUS_MPIE
  csrs mstatus, a0
  la a0, 4f
  csrw mepc, a0
  mret_to_machine a0
4:check_interrupt 8, 1, SSI, 4b
  csrci mstatus, STATUS_MIE

  // Where an instruction would trap, the interrupt comes first, and then the trap
  set_bits mip, 1 << SSI
  csrsi mstatus, STATUS_MIE
5:.word 0xffffffff
  check_taken 9, 2, 2, 0xffffffff
  csrci mstatus, STATUS_MIE

  // Priority, all of them pending: the handler ends one after the other
  li s0, NHG_CLINT_MTIMECMP
  sd x0, 0(s0)
  set_msip
  set_bits mip, SUPERVISOR_INTERRUPTS
  la a0, log_causes
  csrw mtvec, a0
  la s1, causes
  csrsi mstatus, STATUS_MIE
6:csrci mstatus, STATUS_MIE
  la a0, machine_handler
  csrw mtvec, a0
  check_taken 10, 5, INTERRUPT | STI, 0
  la s1, causes
  .irp interrupt, MSI, MTI, SEI, SSI, STI
  lbu a0, 0(s1)
  addi s1, s1, 1
  check_eq 11, a0, \interrupt
  .endr

  // Delegated: not in M, not in S without SIE, in U always
  prepare SUPERVISOR_INTERRUPTS
  csrsi mstatus, STATUS_MIE
  set_bits mip, SUPERVISOR_INTERRUPTS
  check_none 20
  csrci sstatus, STATUS_SIE
  enter SUPERVISOR
  check_none 21
  csrr a0, sip
  check_eq 22, a0, SUPERVISOR_INTERRUPTS
  csrsi sstatus, STATUS_SIE
7:csrci sstatus, STATUS_SIE
  check_interrupt 23, 3 * TRAP_TO_S, STI, 7b
  csrr a0, sip
  check_eq 24, a0, (1 << STI) | (1 << SEI) // these the handler has disabled
  csrr a0, sie
  check_eq 25, a0, 1 << SSI
  back
  set_bits mip, 1 << SSI
  csrci sstatus, STATUS_SIE
  enter USER
8:check_interrupt 26, TRAP_TO_S, SSI, 8b
  back

  // Those that are not delegated come to M from lower modes, whatever MIE says, and before those of S
  prepare 1 << SSI
  csrci mstatus, STATUS_MIE
  set_bits mip, (1 << SSI) | (1 << STI)
  csrsi sstatus, STATUS_SIE
  li x31, STATUS_MPIE
  csrc mstatus, x31
  enter SUPERVISOR
10:check_interrupt 27, TRAP_TO_S + TRAP_TO_M, SSI, 10b
  back
  csrci sstatus, STATUS_SIE
  set_msip
  enter USER
11:check_interrupt 28, TRAP_TO_M, MSI, 11b
  back

  // sip: S sets and clears SSIP alone, and of its own only
  prepare 0
  csrw sip, x31
  csrr a0, mip
  check_eq 30, a0, 0
  csrr a0, sip
  check_eq 31, a0, 0
  li a0, SUPERVISOR_INTERRUPTS
  csrw mideleg, a0
  li a0, -1
  csrw sip, a0
  csrr a0, mip
  check_eq 32, a0, 1 << SSI
  li a0, -1
  csrw mip, a0
  csrw sip, x0
  csrr a0, mip
  check_eq 33, a0, (1 << STI) | (1 << SEI)
  csrw mip, x0

  // Vectors: interrupts go to base + 4 times their number, exceptions to base
  prepare 0
  la a0, vectors + 1
  csrw mtvec, a0
  set_bits mip, 1 << SEI
  li s2, 0
  csrsi mstatus, STATUS_MIE
12:check_eq 40, s2, SEI
  check_interrupt 41, 1, SEI, 12b
  li s2, 0
  .word 0xffffffff
  check_eq 42, s2, 0x80
  check_taken 43, 1, 2, 0xffffffff
  csrci mstatus, STATUS_MIE
  li a0, SUPERVISOR_INTERRUPTS
  csrw mideleg, a0
  la a0, supervisor_vectors + 1
  csrw stvec, a0
  set_bits mip, 1 << SSI
  enter USER
13:check_eq 44, s2, 0x41
  check_interrupt 45, TRAP_TO_S, SSI, 13b
  back
  la a0, supervisor_handler
  csrw stvec, a0
  la a0, machine_handler
  csrw mtvec, a0

  // Where the program is redirected all the time, and among atomics, stores and device accesses, none of which is done twice
  prepare 0
  la s2, counter
  li s3, NHG_FAR_CONTROL_JITTER_AMPLITUDE
  li s4, 60
  li s5, 0
  li a3, 1
  csrsi mstatus, STATUS_MIE
14:set_timer 1
15:mul a3, a3, s4
  addi a3, a3, 7
  andi a4, a3, 8
  beqz a4, 16f
  amoadd.d x0, s4, (s2)
  andi a4, a3, 0x7f
  sd a4, 0(s3)
  ld a5, 0(s3)
  bne a5, a4, test_fail
  add s5, s5, s4
16:beqz s11, 15b
  li s11, 0
  addi s4, s4, -1
  bnez s4, 14b
  csrci mstatus, STATUS_MIE
  ld a0, 0(s2)
  check_same 50, a0, s5
  li s10, 51
  beqz a0, test_fail
  test_end

  interrupt_handlers

  .align 2
log_causes: // in memory, too
  csrr x30, mcause
  sb x30, 0(s1)
  addi s1, s1, 1
  j machine_handler

  .option push
  .option norvc
  .align 6
vectors:
  j exception
  .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
  j vector_\number
  .endr
exception:
  li s2, 0x80
  j machine_handler
  .irp number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
vector_\number:
  li s2, \number
  j machine_handler
  .endr

  .align 6
supervisor_vectors:
  j test_fail
  li s2, 0x41
  j supervisor_handler
  .option pop

  .data
causes: .fill 8, 1, 0
  .align 3
counter: .dword 0
