// SPDX-License-Identifier: Apache-2.0
//
// The payload in assembler: its start in supervisor mode, traps, and the ways into user mode and back. While user mode runs, sscratch is the stack pointer
// of supervisor mode; else it is zero.
#include "boot.h"

#define SSTATUS_SPIE (1 << 5)
#define SSTATUS_SPP (1 << 8)
#define SAVED_BYTES 112

  .section .text.first, "ax", @progbits
  .option norelax
  // OpenSBI jumps here: a0 hart, a1 device tree.
  .globl start
start:
  la sp, supervisor_stack
  csrw sscratch, zero
  la t0, trap_entry
  csrw stvec, t0
  la t0, bss_begin
  la t1, bss_end
1:sd zero, 0(t0)
  addi t0, t0, 8
  bltu t0, t1, 1b
  call boot_main
  j .

  .macro each_register operation
  .irp n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
  \operation x\n, 8 * \n(sp)
  .endr
  .endm

  // Keeps the registers as struct trap_frame and calls handle_trap with it.
  .balign 4
trap_entry:
  csrrw sp, sscratch, sp
  bnez sp, 1f
  csrr sp, sscratch
1:addi sp, sp, -TRAP_FRAME_BYTES
  each_register sd
  csrrw t0, sscratch, zero
  sd t0, 8 * 2(sp)
  csrr t0, sepc
  sd t0, TRAP_FRAME_EPC(sp)
  csrr t0, sstatus
  sd t0, TRAP_FRAME_STATUS(sp)
  mv a0, sp
  call handle_trap
  ld t0, TRAP_FRAME_EPC(sp)
  csrw sepc, t0
  ld t0, TRAP_FRAME_STATUS(sp)
  csrw sstatus, t0
  andi t0, t0, SSTATUS_SPP
  bnez t0, 1f
  addi t0, sp, TRAP_FRAME_BYTES
  csrw sscratch, t0
1:each_register ld
  ld sp, 8 * 2(sp)
  sret

  .macro each_saved operation
  \operation ra, 0(sp)
  .irp n, 0,1,2,3,4,5,6,7,8,9,10,11
  \operation s\n, 8 + 8 * \n(sp)
  .endr
  .endm

  // int enter_user(void (*program)(void)): returns what leave_user is given.
  .text
  .globl enter_user
enter_user:
  addi sp, sp, -SAVED_BYTES
  each_saved sd
  la t0, saved_stack
  sd sp, 0(t0)
  csrci sstatus, 2 // no interrupt while sscratch says user mode
  csrw sscratch, sp
  csrw sepc, a0
  li t0, SSTATUS_SPP
  csrc sstatus, t0
  li t0, SSTATUS_SPIE
  csrs sstatus, t0
  la sp, user_stack
  sret

  // void leave_user(int value), of a trap from user mode
  .globl leave_user
leave_user:
  la t0, saved_stack
  ld sp, 0(t0)
  each_saved ld
  addi sp, sp, SAVED_BYTES
  ret

  .bss
  .balign 8
saved_stack:
  .dword 0
