// SPDX-License-Identifier: Apache-2.0
//
// A chain of steps may leave nothing in the callee's registers: stacks that it switches to have their own values there. So tasks_run() makes the first call
// of a chain like this. Those of the arguments are left out.
#ifndef NHG_TASK_REGISTERS_H
#define NHG_TASK_REGISTERS_H

#include "tasks.h"

#ifdef __riscv
#define TASK_LOST_REGISTERS                                                                                            \
  "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a5", "a6", "a7", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",    \
      "s9", "s10", "s11", "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "ft8", "ft9", "ft10", "ft11", "fa0", \
      "fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "fs0", "fs1", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8",  \
      "fs9", "fs10", "fs11"

static inline void tasks_begin_chain(void) {
  __asm__ volatile("addi sp, sp, -16\n\t"
                   "sd s0, 0(sp)\n\t"
                   "call tasks_poll\n\t"
                   "ld s0, 0(sp)\n\t"
                   "addi sp, sp, 16" ::
                       : TASK_LOST_REGISTERS, "a0", "a1", "a2", "a3", "a4", "memory");
}
#else
#define TASK_LOST_REGISTERS                                                                                            \
  "rax", "rbx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",  \
      "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc"

// The stack is aligned as a call needs it, beyond the red zone.
static inline void tasks_begin_chain(void) {
  __asm__ volatile("pushq %%rbp\n\t"
                   "movq %%rsp, %%rbp\n\t"
                   "leaq -128(%%rsp), %%rsp\n\t"
                   "andq $-16, %%rsp\n\t"
                   "pushq %%rbp\n\t"
                   "pushq %%rbp\n\t"
                   "call tasks_poll\n\t"
                   "popq %%rbp\n\t"
                   "movq %%rbp, %%rsp\n\t"
                   "popq %%rbp" ::
                       : TASK_LOST_REGISTERS, "rcx", "rdx", "rsi", "rdi", "memory");
}
#endif

#endif
