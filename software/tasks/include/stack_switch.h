// SPDX-License-Identifier: Apache-2.0
//
// Switches between stacks. A suspended stack is a pointer to two words: where it goes on, and the frame pointer. The compiler saves of the callee's registers
// what it needs: it is told that all are lost.
#ifndef NHG_STACK_SWITCH_H
#define NHG_STACK_SWITCH_H

#include "task_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

// The task that runs on a stack, and the stack of tasks_run(), to which it goes back. switch.S knows this layout.
struct stack_now {
  task_word self;
  void *sp;
#ifdef __riscv
  void *ra;
#endif
};
extern struct stack_now stack_now;

// A step: goes on where the running task was suspended (switch.S). It saves no register: tasks_run() knows (task_registers.h).
void stack_enter(task_word self);

#ifdef __cplusplus
}
#endif

// stack_switch(save, to): the program goes on at `to` until somebody switches to what is saved at `save`.
// stack_leave(save, self, step): likewise, and the step runs on the stack of tasks_run().
#ifdef __riscv
#define STACK_SAVE                                                                                                     \
  "la t0, 1f\n\t"                                                                                                      \
  "addi sp, sp, -16\n\t"                                                                                               \
  "sd t0, 0(sp)\n\t"                                                                                                   \
  "sd s0, 8(sp)\n\t"                                                                                                   \
  "sd sp, 0(a1)\n\t"

static inline __attribute__((always_inline)) void stack_switch(void **save, void *to) {
  register void **saved __asm__("a1") = save;
  register void *other __asm__("a2") = to;
  __asm__ volatile(STACK_SAVE "ld t0, 0(a2)\n\t"
                              "ld s0, 8(a2)\n\t"
                              "addi sp, a2, 16\n\t"
                              "jr t0\n"
                              "1:"
                   : "+r"(saved), "+r"(other)::TASK_LOST_REGISTERS, "a0", "a3", "a4", "memory");
}

static inline __attribute__((always_inline)) void stack_leave(void **save, task_word self, task_step *step) {
  register task_word word __asm__("a0") = self;
  register void **saved __asm__("a1") = save;
  register task_step *next __asm__("a2") = step;
  register struct stack_now *now __asm__("a3") = &stack_now;
  __asm__ volatile(STACK_SAVE "ld sp, 8(a3)\n\t"
                              "ld ra, 16(a3)\n\t"
                              "jr a2\n"
                              "1:"
                   : "+r"(word), "+r"(saved), "+r"(next), "+r"(now)::TASK_LOST_REGISTERS, "a4", "memory");
}
#else
// The red zone below sp may be in use.
#define STACK_SAVE                                                                                                     \
  "leaq -144(%%rsp), %%rsp\n\t"                                                                                        \
  "leaq 1f(%%rip), %%rax\n\t"                                                                                          \
  "movq %%rax, 0(%%rsp)\n\t"                                                                                           \
  "movq %%rbp, 8(%%rsp)\n\t"                                                                                           \
  "movq %%rsp, (%%rsi)\n\t"

static inline __attribute__((always_inline)) void stack_switch(void **save, void *to) {
  __asm__ volatile(STACK_SAVE "movq 0(%%rdx), %%rax\n\t"
                              "movq 8(%%rdx), %%rbp\n\t"
                              "leaq 144(%%rdx), %%rsp\n\t"
                              "jmp *%%rax\n"
                              "1:"
                   : "+S"(save), "+d"(to)::TASK_LOST_REGISTERS, "rdi", "rcx", "memory");
}

static inline __attribute__((always_inline)) void stack_leave(void **save, task_word self, task_step *step) {
  __asm__ volatile(STACK_SAVE "movq %3, %%rsp\n\t"
                              "jmp *%%rdx\n"
                              "1:"
                   : "+D"(self), "+S"(save), "+d"(step)
                   : "m"(stack_now.sp)
                   : TASK_LOST_REGISTERS, "rcx", "memory");
}
#endif

// What a first switch to a stack needs: `entry` begins with sp as a call leaves it.
static inline void *stack_begin(char *top, void (*entry)(void)) {
#ifdef __riscv
  enum { FrameBytes = 16, Returns = 0 };
#else
  enum { FrameBytes = 144, Returns = 8 };
#endif
  void **sp = (void **)(void *)((char *)((uintptr_t)top & ~(uintptr_t)15) - Returns - FrameBytes);
  sp[0] = (void *)(uintptr_t)entry;
  sp[1] = NULL;
  return sp;
}

#endif
