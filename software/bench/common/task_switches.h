// SPDX-License-Identifier: Apache-2.0
// For benchmarks that use the library of tasks (software/tasks): the counter of task switches, which includes the first run of a task,
// and the run of all tasks.
#pragma once
#include "asyncmem.h"
#include "tasks.h"

#ifdef BENCH_COUNT
// The compiler's counter, kept by hand here.
uint64_t __asyncmem_switches = 0;
static inline void count_switch(void) { ++__asyncmem_switches; }
#else
static inline void count_switch(void) {}
#endif

// BENCH_COROUTINES tasks of `bytes` each, its state included, begin with `first`; returns when none can run any more.
static inline void run_tasks(void *states, size_t bytes, task_step *first) {
  for (unsigned k = 0; k < BENCH_COROUTINES; ++k) {
    count_switch();
    task_spawn((task *)((char *)states + k * bytes), first, 0);
  }
  tasks_run(0);
}
