// SPDX-License-Identifier: Apache-2.0
// Four-byte instructions across the end of a line, of a page and of a memory region, entered from before, by a jump and by a return; their
// pc, link and exceptions; second halves where there is no memory.
#include "test.h"

  // `inst` starts two bytes below a multiple of `size`. It is reached by c.nops, then by a jump to it, then both again.
  .macro at_end_of size, inst:vararg
  .option push
  .option norvc
  li s0, 4
  j 1f
  .option rvc
  .balign \size
  .skip \size - 18
1:c.nop
  c.nop
  c.nop
  c.nop
  c.nop
  c.nop
  c.nop
  c.nop
  .option norvc
2:\inst
3:addi s0, s0, -1
  andi t0, s0, 1
  la t1, 1b
  bnez t0, 4f
  la t1, 2b
4:beqz s0, 5f
  jr t1
5:
  .option pop
  .endm

  .macro kinds number, size
  li a0, 0
  at_end_of \size, addi a0, a0, 3
  check_eq \number, a0, 12
  li a1, 0
  at_end_of \size, lui a1, 0x12345
  check_eq \number, a1, 0x12345000
  at_end_of \size, auipc a2, 0
  la a3, 2b
  check_same \number, a2, a3
  at_end_of \size, jal a2, 3f
  la a3, 3b
  check_same \number, a2, a3
  at_end_of \size, beq x0, x0, 3f
  at_end_of \size, bne x0, x0, test_fail
  li a0, 5
  at_end_of \size, mul a0, a0, a0
  check_eq \number, a0, 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5 * 5
  at_end_of \size, sd a0, 0(sp)
  at_end_of \size, ld a3, 0(sp)
  check_same \number, a0, a3
  sd x0, 0(sp)
  li a1, 2
  at_end_of \size, amoadd.d a3, a1, (sp)
  ld a3, 0(sp)
  check_eq \number, a3, 8
  at_end_of \size, csrrs a3, mscratch, a1
  at_end_of \size, fence.i
  check_no_trap \number
  // Exceptions: mepc and the instruction's bits
  li s1, 0
  at_end_of \size, .word 0xffffffff
  li s10, \number
  li x31, 4
  bne s11, x31, test_fail
  li s11, 1
  check_trap \number, 2, 0xffffffff
  la a3, 2b
  check_same \number, s9, a3
  at_end_of \size, ld a3, 1(x0)
  li s11, 1
  check_trap \number, 4, 1
  la a3, 2b
  check_same \number, s9, a3
  .endm

  // Writes halfwords to a1: c.nop before `at`, then the instruction, then ret.
  .macro place at, inst
  li a1, \at - 4
  li t0, 1
  sh t0, 0(a1)
  sh t0, 2(a1)
  li t0, (\inst) & 0xffff
  sh t0, 4(a1)
  li t0, (\inst) >> 16
  sh t0, 6(a1)
  li t0, 0x8082
  sh t0, 8(a1)
  fence.i
  .endm

  test_begin
  take_spm_way
  kinds 1, 32
  kinds 2, 64
  kinds 3, 4096

  // A call whose return address, and a jump whose target, is a straddling instruction
  li a0, 0
  li s0, 3
  j 1f
  .balign 64
  .skip 64 - 6
  .option push
  .option norvc
1:jal ra, 2f
  .option rvc
  .balign 2
3:.option norvc
  addi a0, a0, 5
  addi s0, s0, -1
  bnez s0, 1b
  j 4f
2:ret
  .option pop
4:check_eq 10, a0, 15

  // Across the border of local and far memory
  place NHG_FAR_BASE - 2, 0x00750513
  li a0, 0
  jalr a1
  check_eq 20, a0, 7
  addi a1, a1, 4
  jalr a1
  check_eq 21, a0, 14
  place NHG_FAR_BASE - 2, 0x00000517
  jalr a1
  check_eq 22, a0, NHG_FAR_BASE - 2
  place NHG_FAR_BASE - 4, 0x00950513
  jalr a1
  check_eq 23, a0, NHG_FAR_BASE + 7

  // The end of far memory: the second half is missing, or the next instruction
  li a1, NHG_FAR_BASE + NHG_FAR_SIZE - 2
  li t0, 0x0513
  sh t0, 0(a1)
  fence.i
  la s6, 1f
  jr a1
1:check_trap 30, 1, NHG_FAR_BASE + NHG_FAR_SIZE
  check_same 31, s9, a1
  li t0, 0x0001
  sh t0, 0(a1)
  fence.i
  la s6, 2f
  jr a1
2:check_trap 32, 1, NHG_FAR_BASE + NHG_FAR_SIZE
  check_eq 33, s9, NHG_FAR_BASE + NHG_FAR_SIZE
  li t0, 0x0000
  sh t0, 0(a1)
  fence.i
  la s6, 3f
  li t0, NHG_FAR_BASE + NHG_FAR_SIZE - 2
  jr t0
3:li s11, 1
  check_eq 34, s8, NHG_FAR_BASE + NHG_FAR_SIZE
  li s11, 0

  // Below local memory, in the SPM window, in devices: the address of the first half
  .macro nowhere number, address
  la s6, 4f
  li a1, \address
  jr a1
4:check_trap \number, 1, \address
  check_same \number, s9, a1
  .endm
  nowhere 40, NHG_LOCAL_BASE - 2
  nowhere 41, NHG_SPM_BASE
  nowhere 42, NHG_SPM_BASE + NHG_SPM_SIZE - 2
  nowhere 43, NHG_HOST_BASE
  nowhere 44, NHG_BOOT_ROM_BASE - 2
  nowhere 45, 0x7ffffffffe
  nowhere 46, 0x8000000000
  nowhere 47, 0x8080000000
  nowhere 48, -4
  nowhere 49, -2
  test_end
