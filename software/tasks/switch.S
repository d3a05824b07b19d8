// SPDX-License-Identifier: Apache-2.0
//
// void stack_enter(task_word self), see include/stack_switch.h. The task's stack pointer is the word behind its part of tasks.h.
#define SP_OF_TASK 40

  .globl stack_enter
#ifdef __riscv
  .section .text.stack_enter, "ax", @progbits
stack_enter:
  la t0, stack_now
  sd a0, 0(t0)
  sd sp, 8(t0)
  sd ra, 16(t0)
  zext.w a1, a0
  ld a1, 0(a1)
  ld a1, SP_OF_TASK(a1)
  ld t1, 0(a1)
  ld s0, 8(a1)
  addi sp, a1, 16
  jr t1
#else
  .section .note.GNU-stack, "", @progbits
  .text
stack_enter:
  movq %rdi, stack_now(%rip)
  movq %rsp, 8+stack_now(%rip)
  movq SP_OF_TASK(%rdi), %rdx
  movq 8(%rdx), %rbp
  leaq 144(%rdx), %rsp
  jmp *(%rdx)
#endif
