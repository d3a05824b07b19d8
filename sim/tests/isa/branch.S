// SPDX-License-Identifier: Apache-2.0
// Branches taken and not taken in both directions, jumps and calls, compressed forms, deep recursion.
#include "test.h"

  .macro taken number, op, a, b
  li a1, \a
  li a2, \b
  \op a1, a2, 1f
  check_eq \number, x0, 1
1:\op a1, a2, 3f
2:j 4f
  .option push
  .option norvc
  nop
  .option pop
3:\op a1, a2, 2b
  check_eq \number, x0, 1
4:
  .endm

  .macro not_taken number, op, a, b
  li a1, \a
  li a2, \b
  \op a1, a2, 1f
  j 2f
1:check_eq \number, x0, 1
2:
  .endm

  test_begin
  taken 1, beq, -5, -5
  not_taken 1, beq, 1, 0x100000001
  taken 2, bne, 1, 0x100000001
  not_taken 2, bne, 7, 7
  taken 3, blt, -1, 0
  not_taken 3, blt, 0, -1
  not_taken 3, blt, 5, 5
  taken 4, bge, 5, 5
  taken 4, bge, 0, -1
  not_taken 4, bge, -1, 0
  taken 5, bltu, 0, -1
  not_taken 5, bltu, -1, 0
  taken 6, bgeu, -1, 0
  taken 6, bgeu, 9, 9
  not_taken 6, bgeu, 0, -1

  // jal and jalr: link value, bit 0 of the target cleared, rd = rs1
  .option push
  .option norvc
1:jal a0, 2f
2:la a1, 2b
  check_same 10, a0, a1
  la a2, 3f
  addi a2, a2, 5
  jalr a2, -4(a2)
  check_eq 11, x0, 1
3:la a1, 3b
  addi a1, a1, -12
  .option pop
  la a3, 4f
  jr a3
  check_eq 12, x0, 1
4:

  // Compressed jumps and branches
  .option push
  .option rvc
  li s0, 0
  c.j 1f
  check_eq 13, x0, 1
1:c.beqz s0, 2f
  check_eq 14, x0, 1
2:li s0, 3
  c.bnez s0, 3f
  check_eq 15, x0, 1
3:c.beqz s0, 4f
  c.j 5f
4:check_eq 16, x0, 1
5:la a0, 6f
  c.jr a0
  check_eq 17, x0, 1
6:la a0, 7f
  c.jalr a0
8:check_eq 18, x0, 1
7:la a1, 8b
  check_same 19, ra, a1
  .option pop

  // A nested loop with a data-dependent branch: counts the odd products of i and j, i, j < 40
  li s0, 0
  li s1, 0
1:li s2, 0
2:mul t0, s1, s2
  andi t0, t0, 1
  beqz t0, 3f
  addi s0, s0, 1
3:addi s2, s2, 1
  li t1, 40
  blt s2, t1, 2b
  addi s1, s1, 1
  blt s1, t1, 1b
  check_eq 20, s0, 400

  // Recursion deeper than any return stack: fib(15)
  li a0, 15
  call fib
  check_eq 21, a0, 610

  // Indirect jumps over a table with a changing target
  li s0, 0
  li s1, 64
  la s2, table
1:andi t0, s1, 3
  slli t0, t0, 3
  add t0, t0, s2
  ld t0, 0(t0)
  jalr t0
  addi s1, s1, -1
  bnez s1, 1b
  check_eq 22, s0, 16 * (1 + 10 + 100 + 1000)
  check_no_trap 23
  j finish

fib:
  li t0, 2
  blt a0, t0, 1f
  addi sp, sp, -24
  sd ra, 0(sp)
  sd a0, 8(sp)
  addi a0, a0, -1
  call fib
  sd a0, 16(sp)
  ld a0, 8(sp)
  addi a0, a0, -2
  call fib
  ld t0, 16(sp)
  add a0, a0, t0
  ld ra, 0(sp)
  addi sp, sp, 24
1:ret

add_1:
  addi s0, s0, 1
  ret
add_10:
  addi s0, s0, 10
  ret
add_100:
  addi s0, s0, 100
  ret
add_1000:
  addi s0, s0, 1000
  ret

finish:
  test_end

  .section .rodata
  .align 3
table:
  .dword add_1, add_10, add_100, add_1000
