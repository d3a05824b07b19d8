// SPDX-License-Identifier: Apache-2.0
//
// Time of the running core: cycles on NH-G, natively ns of CPU time; and instructions, natively 0.
#pragma once
#include <stdint.h>
#ifndef __riscv
#include <time.h>
#endif

typedef struct {
  int64_t time, instructions;
} clocks;

static inline clocks clocks_now(void) {
  clocks read = {0, 0};
#ifdef __riscv
  __asm__ volatile("fence\n\tcsrr %0, mcycle\n\tcsrr %1, minstret"
                   : "=r"(read.time), "=r"(read.instructions)::"memory");
#else
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  read.time = t.tv_sec * 1000000000 + t.tv_nsec;
#endif
  return read;
}
