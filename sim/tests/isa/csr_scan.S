// SPDX-License-Identifier: Apache-2.0
// Every CSR number: a read from each mode, and from M a write of no bits, which a read-only one refuses. Lock-step says which of them are legal; here
// it is counted that each mode may access as many as it should.
#include "test.h"
#include "modes.h"

  // All accesses, and how many of them did not trap: as many as there should be of those with floating point, counters and AMU, then those of S, then
  // sstateen1 to 3 and those of M.
  .macro count number, mode, accesses, expected
  la a0, count_traps
  csrw mtvec, a0
  enter \mode
  li s11, 0
  call \accesses
  .word 0x73 // ecall, which count_traps counts and ends
  la a0, machine_trap
  csrw mtvec, a0
  li a0, 4096 + 1
  sub s0, a0, s11
  check_eq \number, s0, \expected
  .endm

  test_begin
  modes_begin
  li a0, -1
  csrw mcounteren, a0
  csrw scounteren, a0
  csrw mstateen0, a0
  csrw sstateen0, a0
  li a0, STATUS_FS
  csrs mstatus, a0
  li a1, 0
  count 1, USER, reads, 3 + 3 + 10
  count 2, SUPERVISOR, reads, 3 + 3 + 10 + 14
  count 3, MACHINE, reads, 3 + 3 + 10 + 14 + 3 + 107
  count 4, MACHINE, writes, 3 + 14 + 3 + 102
  j finish

  .align 2
count_traps:
  addi s11, s11, 1
  csrr x30, mcause
  addi x30, x30, -8
  csrr x31, mepc
  addi x31, x31, 4
  bgez x30, 1f
  csrw mepc, x31
  mret
1:jr x31

  .option push
  .option norvc
  .macro every access
  .set csr, 0
  .rept 4096
  .word \access | csr << 20
  .set csr, csr + 1
  .endr
  ret
  .endm
reads:
  every 0x00002573 // csrr a0, csr
writes:
  every 0x0005a573 // csrrs a0, csr, a1
  .option pop
finish:
  test_end
  mode_handlers
