// SPDX-License-Identifier: Apache-2.0
//
// The clock of the programs that measure NH-G.
#ifndef NHG_TEST_CYCLES_H
#define NHG_TEST_CYCLES_H

#include <stdint.h>

// Core cycles (mcycle), after all memory accesses before.
static inline uint64_t cycles(void) {
  uint64_t now;
  __asm__ volatile("fence\n\tcsrr %0, mcycle" : "=r"(now)::"memory");
  return now;
}

#endif
