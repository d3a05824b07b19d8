// SPDX-License-Identifier: Apache-2.0
// For benchmarks that use the library of tasks (software/tasks): the counter of task switches, which includes the first run of a task.
#pragma once
#include "asyncmem.h"

#ifdef BENCH_COUNT
// The compiler's counter, kept by hand here.
uint64_t __asyncmem_switches = 0;
static inline void count_switch(void) { ++__asyncmem_switches; }
#else
static inline void count_switch(void) {}
#endif
