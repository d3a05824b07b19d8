// SPDX-License-Identifier: Apache-2.0
//
// What the parts of the payload know of each other, for C and assembler.
#ifndef NHG_BOOT_H
#define NHG_BOOT_H

#include "platform.h"

#define TICKS_PER_US (NHG_EMULATED_MHZ / NHG_TICK_CYCLES)

// struct trap_frame, bytes
#define TRAP_FRAME_EPC 256
#define TRAP_FRAME_STATUS 264
#define TRAP_FRAME_BYTES 272

// Calls of user mode: number in a7, arguments in a0 and a1.
#define CALL_WRITE 1 // text, bytes
#define CALL_COUNT 2 // returns how many of these calls there were
#define CALL_EXIT 3  // status

// GUPS: each task updates words of its own part of the table, so that no update is lost.
#define GUPS_TASKS 128
#define GUPS_TASK_WORDS 32 // a power of two
#define GUPS_TASK_UPDATES 8
#define GUPS_MULTIPLIER 0x5851f42d // of the generator of each task, whose first value is its ID

#ifndef __ASSEMBLER__
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trap_frame {
  uint64_t x[32], epc, status;
};

#define csr_read(csr)                                                                                                  \
  ({                                                                                                                   \
    uint64_t csr_value;                                                                                                \
    __asm__ volatile("csrr %0, " #csr : "=r"(csr_value)::"memory");                                                    \
    csr_value;                                                                                                         \
  })
#define csr_write(csr, value) __asm__ volatile("csrw " #csr ", %0" ::"r"((uint64_t)(value)) : "memory")
#define csr_set(csr, bits) __asm__ volatile("csrs " #csr ", %0" ::"r"((uint64_t)(bits)) : "memory")
#define csr_clear(csr, bits) __asm__ volatile("csrc " #csr ", %0" ::"r"((uint64_t)(bits)) : "memory")

// Sleeps until an interrupt of sie is pending, and takes it. Else supervisor mode runs without interrupts.
static inline void sleep(void) { __asm__ volatile("wfi\n csrsi sstatus, 2\n csrci sstatus, 2" ::: "memory"); }

// entry.S
int enter_user(void (*program)(void));
_Noreturn void leave_user(int status);

// user.c, in user mode
void user_calls(void);
void user_updates(void);

// user_gups.S, in user mode; begins at a table of zeros
void gups(uint64_t *table);
#endif
#endif
