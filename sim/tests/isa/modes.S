// SPDX-License-Identifier: Apache-2.0
// M, S and U mode: calls and returns, delegation of every exception, what TSR, TW and TVM trap, what returns do to mstatus.
#include "test.h"
#include "ami.h"
#include "modes.h"

  .macro check_status number, value
  csrr a0, mstatus
  check_eq \number, a0, STATUS_64_BITS | (\value)
  .endm

  // `kind` traps with that cause and value in each mode, delegated and not; from M it never is.
  .macro everywhere number, cause, tval, kind:vararg
  csrw medeleg, x0
  li s11, 0
  la s6, 7f
  \kind
7:check_taken \number, TRAP_TO_M, \cause, \tval
  .irp mode, USER, SUPERVISOR
  csrw medeleg, x0
  enter \mode
  la s6, 7f
  \kind
7:check_taken \number, TRAP_TO_M, \cause, \tval
  to_machine
  li x31, 1 << \cause
  csrw medeleg, x31
  enter \mode
  la s6, 7f
  \kind
7:check_taken \number, TRAP_TO_S, \cause, \tval
  to_machine
  li x31, ~(1 << \cause | 1 << 9)
  csrw medeleg, x31
  enter \mode
  la s6, 7f
  \kind
7:check_taken \number, TRAP_TO_M, \cause, \tval
  to_machine
  .endr
  li x31, -1
  csrw medeleg, x31
  la s6, 7f
  \kind
7:check_taken \number, TRAP_TO_M, \cause, \tval
  csrw medeleg, x0
  .endm

  test_begin
  modes_begin
  li s10, 1
  csrr a0, mstatus
  bnez s11, test_fail
  check_eq 1, a0, STATUS_64_BITS

  // Calls by mode, and what a trap and mret leave in mstatus
  csrsi mstatus, STATUS_MIE
  plain_ecall
  check_taken 2, TRAP_TO_M, 11, 0
  check_status 3, STATUS_MIE | STATUS_MPIE
  .irp mode, USER, SUPERVISOR
  enter \mode
  plain_ecall
  check_taken 4, TRAP_TO_M, 8 + \mode, 0
  stay
  check_status 5, STATUS_MPIE | (\mode << 11)
  csrr a0, mcause
  check_eq 6, a0, 8 + \mode
  csrsi mstatus, STATUS_MIE
  .endr

  // A delegated call of U: SPP, SPIE, SIE; the M side is left alone
  li t0, 1 << 8
  csrw medeleg, t0
  csrw mstatus, x0
  csrsi mstatus, STATUS_SIE
  csrwi mcause, 5
  enter USER
  stay
  csrr a0, sstatus
  check_eq 10, a0, (2 << 32) | STATUS_SPIE
  csrr a0, scause
  check_eq 11, a0, 8
  // sret: SIE from SPIE, SPIE 1, the mode from SPP, which is U then
  li a0, STATUS_SPIE
  csrc sstatus, a0
  li a0, STATUS_SPP | STATUS_SIE
  csrs sstatus, a0
  la a0, 1f
  csrw sepc, a0
  sret
1:csrr a0, sstatus // still in S
  check_eq 12, a0, (2 << 32) | STATUS_SPIE
  la a0, 2f
  csrw sepc, a0
  sret
2:csrr a0, sscratch // in U
  check_taken 13, TRAP_TO_M, 2, 0x14002573
  to_machine
  csrr a0, mcause
  check_eq 14, a0, 9 // by way of S

  // A delegated call of S. Then M is reached by an illegal instruction alone.
  li t0, 1 << 9
  csrw medeleg, t0
  la a0, 3f
  csrw mtvec, a0
  enter SUPERVISOR
  plain_ecall
  check_taken 15, TRAP_TO_S, 9, 0
  csrr a0, sstatus
  check_eq 16, a0, (2 << 32) | STATUS_SPIE
  .word 0
  .align 2
3:csrr a0, mcause
  check_eq 17, a0, 2
  csrr a0, mstatus
  check_eq 18, a0, STATUS_64_BITS | STATUS_SPIE | (SUPERVISOR << 11)
  la a0, machine_trap
  csrw mtvec, a0
  csrw medeleg, x0

  // Every exception
  li s2, 8
  everywhere 20, 2, 0xffffffff, .word 0xffffffff
  everywhere 21, 4, 3, ld a0, 3(x0)
  everywhere 22, 5, 8, ld a0, 8(x0)
  everywhere 23, 6, 3, sd a0, 3(x0)
  everywhere 24, 7, 8, amoadd.d a0, a0, (s2)
  everywhere 25, 1, 8, jr s2
  everywhere 26, 2, 0xc0001073, csrw cycle, x0
  li t0, 1
  csrw mstateen0, t0
  csrw sstateen0, t0
  everywhere 27, 24, AMU_TVAL(NHG_AMU_ERROR_BAD_ID, 0), asignal x0
  csrw mstateen0, x0

  // Vectors are for interrupts
  la a0, machine_trap + 1
  csrw mtvec, a0
  la a0, supervisor_trap + 1
  csrw stvec, a0
  everywhere 28, 2, 0xffffffff, .word 0xffffffff

  // Illegal where the mode or a bit of mstatus says so. `kind` is the instruction's word; what executes it writes nothing.
  .macro refused number, mode, word
  enter \mode
  .word \word
  check_taken \number, TRAP_TO_M, 2, \word
  to_machine
  .endm
  .macro executed number, mode, word
  enter \mode
  .word \word
  check_no_trap \number
  to_machine
  .endm
  .macro mode_bit number, word, bit, in_user
  executed \number, SUPERVISOR, \word
  \in_user \number + 1, USER, \word
  li t0, \bit
  csrs mstatus, t0
  .word \word
  check_no_trap \number + 2
  refused \number + 3, SUPERVISOR, \word
  \in_user \number + 4, USER, \word
  csrc mstatus, t0
  .endm

  // wfi, which does not sleep
  li t1, 1 << 1
  csrw mideleg, t1
  csrw mie, t1
  csrci sstatus, STATUS_SIE
  csrw mip, t1
  executed 30, SUPERVISOR, 0x10500073
  csrw mip, x0
  refused 31, USER, 0x10500073
  li t0, STATUS_TW
  csrs mstatus, t0
  refused 32, SUPERVISOR, 0x10500073
  refused 33, USER, 0x10500073
  csrw mip, t1
  wfi
  check_no_trap 34
  csrw mip, x0
  csrw mie, x0
  csrw mideleg, x0
  csrc mstatus, t0

  mode_bit 35, 0x12000073, STATUS_TVM, refused    // sfence.vma
  mode_bit 40, 0x12b50073, STATUS_TVM, refused    // sfence.vma a0, a1
  mode_bit 45, 0x18002573, STATUS_TVM, refused    // csrr a0, satp
  mode_bit 50, 0x18001073, STATUS_TVM, refused    // csrw satp, x0
  refused 55, USER, 0x30200073 // mret
  refused 56, SUPERVISOR, 0x30200073
  refused 57, USER, 0x10200073 // sret
  li t0, STATUS_TSR
  csrs mstatus, t0
  refused 58, SUPERVISOR, 0x10200073
  refused 59, USER, 0x10200073
  la a0, 4f
  csrw sepc, a0
  sret // in M it works
4:csrr a0, sscratch
  check_taken 60, TRAP_TO_M, 2, 0x14002573
  to_machine
  csrc mstatus, t0

  // MPRV: an mret to M leaves it, one to a lower mode and every sret clear it
  li t0, STATUS_MPRV
  csrs mstatus, t0
  enter MACHINE
  csrr a0, mstatus
  and a0, a0, t0
  check_eq 61, a0, STATUS_MPRV
  plain_ecall
  check_taken 62, TRAP_TO_M, 11, 0
  csrr a0, mstatus
  and a0, a0, t0
  check_eq 63, a0, STATUS_MPRV
  .irp mode, USER, SUPERVISOR
  csrs mstatus, t0
  enter \mode
  to_machine
  csrr a0, mstatus
  and a0, a0, t0
  check_eq 64, a0, 0
  .endr
  .irp previous, 0, STATUS_SPP
  csrs mstatus, t0
  li a0, STATUS_SPP
  csrc mstatus, a0
  li a0, \previous
  csrs mstatus, a0
  la a0, 5f
  csrw sepc, a0
  sret
5:to_machine
  csrr a0, mstatus
  and a0, a0, t0
  check_eq 65, a0, 0
  .endr
  // With MPRV, loads and stores of M go by MPP; nothing is refused without translation and PMP
  li a0, STATUS_MPP
  csrc mstatus, a0
  csrs mstatus, t0
  sd t0, -8(sp)
  ld a0, -8(sp)
  csrc mstatus, t0
  check_same 66, a0, t0

  // No mode 2: MPP becomes U
  li a0, STATUS_MPP
  csrc mstatus, a0
  li a0, 1 << 11
  csrs mstatus, a0
  li a0, 2 << 11
  csrs mstatus, a0 // 3
  csrr a0, mstatus
  li a1, STATUS_MPP
  and a0, a0, a1
  check_eq 67, a0, 3 << 11
  li a0, 1 << 11
  csrc mstatus, a0 // 2
  csrr a0, mstatus
  and a0, a0, a1
  check_eq 68, a0, 0
  check_no_trap 69
  test_end
  mode_handlers
