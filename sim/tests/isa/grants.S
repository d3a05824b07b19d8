// SPDX-License-Identifier: Apache-2.0
// What lower modes may use: counters by mcounteren and scounteren, the AMU by mstateen0 and sstateen0, floating point by FS, senvcfg and sstateen0.
#include "test.h"
#include "ami.h"
#include "modes.h"

  // Traps as an illegal instruction exactly if `reg` is 0. s0 keeps the word, a1 is scratch.
  .macro legal_if number, reg, word
  .word \word
  li s10, \number
  seqz a1, \reg
  bne s11, a1, test_fail
  beqz a1, 6f
  check_taken \number, TRAP_TO_M, 2, \word
6:
  .endm

  test_begin
  modes_begin

  // All 64 pairs: s0 is mcounteren, s1 is scounteren
  li s0, 7
1:li s1, 7
2:csrw mcounteren, s0
  csrw scounteren, s1
  csrr a0, mcounteren
  check_same 1, a0, s0
  csrr a0, scounteren
  check_same 2, a0, s1
  .irp bit, 0, 1, 2
  li s2, 1
  legal_if 3, s2, 0xc0002573 | \bit << 20
  enter SUPERVISOR
  andi s2, s0, 1 << \bit
  legal_if 4, s2, 0xc0002573 | \bit << 20
  to_machine
  enter USER
  and s2, s0, s1
  andi s2, s2, 1 << \bit
  legal_if 5, s2, 0xc0002573 | \bit << 20
  li s2, 0
  legal_if 6, s2, 0xb0002573 | \bit << 20 // the counters of M themselves
  to_machine
  .endr
  addi s1, s1, -1
  bgez s1, 2b
  addi s0, s0, -1
  bgez s0, 1b

  // The AMU: s0 is mstateen0.C, s1 is sstateen0.C as written while mstateen0.C was set
  csrr a0, mstateen0
  check_eq 10, a0, 0 // off below M after reset
  li s3, 5
  li s4, 1
  li s0, 1
1:li s1, 1
2:csrwi mstateen0, 1
  csrw sstateen0, s1
  csrw mstateen0, s0
  csrr a0, sstateen0
  and a1, s0, s1
  check_same 11, a0, a1
  .irp mode, USER, SUPERVISOR, MACHINE
  enter \mode
  li s2, 1
  .if \mode != MACHINE
  and s2, s2, s0
  .endif
  .if \mode == USER
  and s2, s2, s1
  .endif
  legal_if 20, s2, 0x0000250b // getfin a0
  legal_if 21, s2, 0x0000350b // bafin a0
  legal_if 22, s2, 0x0149c00b // aset s3, s4
  legal_if 23, s2, 0xcc002573 // csrr a0, amucap
  legal_if 24, s2, 0xcc902573 // csrr a0, amureuse
  .if \mode == USER
  li s2, 0
  .endif
  legal_if 25, s2, 0x5c002573 // csrr a0, amuid
  legal_if 26, s2, 0x5c101073 // csrw amustate, x0
  to_machine
  .endr
  addi s1, s1, -1
  bgez s1, 2b
  addi s0, s0, -1
  bgez s0, 1b
  // With the AMU off a grant is none
  csrwi mstateen0, 1
  csrwi sstateen0, 1
  csrci NHG_CSR_AMUCTL, 1
  li s2, 0
  .irp mode, USER, SUPERVISOR, MACHINE
  enter \mode
  legal_if 30, s2, 0x0000250b
  legal_if 31, s2, 0xcc002573
  legal_if 32, s2, 0x5c002573
  to_machine
  .endr
  csrsi NHG_CSR_AMUCTL, 1

  // A register of S mode by a bit of mstateen0; of sstateen1 to 3 there is no bit
  .macro by_stateen number, word, bit
  li s0, 1
3:csrw mstateen0, x0
  beqz s0, 4f
  li a0, 1 << \bit
  csrw mstateen0, a0
4:li s2, 1
  legal_if \number, s2, \word
  enter SUPERVISOR
  mv s2, s0
  legal_if \number + 1, s2, \word
  to_machine
  enter USER
  li s2, 0
  legal_if \number + 2, s2, \word
  to_machine
  addi s0, s0, -1
  bgez s0, 3b
  .endm
  by_stateen 40, 0x10a02573, 62 // csrr a0, senvcfg
  by_stateen 44, 0x10c02573, 63 // csrr a0, sstateen0
  by_stateen 48, 0x10c01073, 63 // csrw sstateen0, x0
  li a0, -1
  csrw mstateen0, a0
  .irp word, 0x10d02573, 0x10e02573, 0x10f02573 // csrr a0, sstateen1 ...
  li s2, 1
  legal_if 52, s2, \word
  enter SUPERVISOR
  li s2, 0
  legal_if 53, s2, \word
  to_machine
  .endr

  // S grants to U what M has granted to it
  csrw sstateen0, x0
  enter SUPERVISOR
  csrwi sstateen0, 1
  la a0, 5f
  csrw sepc, a0
  li a0, STATUS_SPP
  csrc sstatus, a0
  sret
5:li s2, 1
  legal_if 54, s2, 0x0000250b
  to_machine

  // Floating point by FS, in every mode; sstatus shows and sets it, too
  li a0, STATUS_FS
  .irp mode, USER, SUPERVISOR, MACHINE
  csrc mstatus, a0
  enter \mode
  li s2, 0
  legal_if 60, s2, 0x00302573 // csrr a0, fcsr
  legal_if 61, s2, 0xf2000053 // fmv.d.x f0, x0
  to_machine
  li a0, 1 << 13
  csrs mstatus, a0
  enter \mode
  li s2, 1
  legal_if 62, s2, 0x00302573
  legal_if 63, s2, 0xf2000053
  to_machine
  li a0, STATUS_FS
  csrr a1, mstatus
  and a1, a1, a0
  check_same 64, a1, a0
  .endr
  enter SUPERVISOR
  csrc sstatus, a0
  li s2, 0
  legal_if 65, s2, 0xf2000053
  csrs sstatus, a0
  csrr a1, sstatus
  check_eq 66, a1, (0x80000002 << 32) | STATUS_FS | STATUS_SPIE
  li s2, 1
  legal_if 67, s2, 0xf2000053
  to_machine
  check_no_trap 68
  test_end
  mode_handlers
