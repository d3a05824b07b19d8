// SPDX-License-Identifier: Apache-2.0
// Every RV64C instruction without floating point, including the immediates' ends, and instructions that
// cross a fetch block when all are 2-byte aligned.
#include "test.h"

  test_begin
  .option push
  .option rvc
  la s0, data
  mv sp, s0
  c.li a0, -32
  check_eq 1, a0, -32
  c.lui a0, 0xfffe0
  check_eq 2, a0, 0xfffffffffffe0000
  c.addi a0, 31
  check_eq 3, a0, 0xfffffffffffe001f
  li a1, 0x7fffffff
  c.addiw a1, 1
  check_eq 4, a1, 0xffffffff80000000
  c.addi16sp sp, 496
  sub a0, sp, s0
  check_eq 5, a0, 496
  c.addi16sp sp, -496
  c.addi4spn a2, sp, 1020
  sub a0, a2, s0
  check_eq 6, a0, 1020
  li a0, 1
  c.slli a0, 63
  check_eq 7, a0, 0x8000000000000000
  c.srai a0, 31
  check_eq 8, a0, 0xffffffff00000000
  c.srli a0, 32
  check_eq 9, a0, 0xffffffff
  c.andi a0, -16
  check_eq 10, a0, 0xfffffff0
  li a1, 0x0f0f0f0f
  c.sub a0, a1
  check_eq 11, a0, 0xf0f0f0e1
  c.xor a0, a1
  check_eq 12, a0, 0xffffffee
  c.or a0, a1
  check_eq 13, a0, 0xffffffef
  c.and a0, a1
  check_eq 14, a0, 0x0f0f0f0f
  c.addw a0, a0
  c.addw a0, a0
  c.addw a0, a0
  c.addw a0, a0
  check_eq 15, a0, 0xfffffffff0f0f0f0
  c.subw a0, a1
  check_eq 16, a0, 0xffffffffe1e1e1e1
  c.mv a3, a1
  check_same 17, a3, a1
  c.add a3, a1
  check_eq 18, a3, 0x1e1e1e1e
  c.nop

  li a1, 0x1122334455667788
  c.sd a1, 248(s0)
  c.ld a0, 248(s0)
  check_same 19, a0, a1
  c.sw a1, 124(s0)
  c.lw a0, 124(s0)
  check_eq 20, a0, 0x55667788
  c.sdsp a1, 504(sp)
  c.ldsp a0, 504(sp)
  check_same 21, a0, a1
  c.swsp a1, 252(sp)
  c.lwsp a0, 252(sp)
  check_eq 22, a0, 0x55667788
  li a1, -2
  c.sw a1, 0(s0)
  c.lw a0, 0(s0)
  check_eq 23, a0, -2
  c.lwsp ra, 0(sp)
  check_eq 24, ra, -2

  // The all-zero word is illegal, c.ebreak is a breakpoint
  .half 0
  check_trap 25, 2, 0
1:c.ebreak
  la a0, 1b
  li s10, 26
  li x31, 1
  bne s11, x31, test_fail
  li x31, 3
  bne s7, x31, test_fail
  bne s8, a0, test_fail
  bne s9, a0, test_fail
  li s11, 0

  // A 4-byte instruction at every 2-byte position of a line
  li a0, 0
  .align 6
  .rept 16
  .option push
  .option norvc
  addi a0, a0, 1
  addi a0, a0, 1
  .option pop
  c.addi a0, 1
  .endr
  check_eq 27, a0, 48
  check_no_trap 28
  la sp, __stack_top
  .option pop
  test_end

  .bss
  .align 6
data:
  .space 2048
