// SPDX-License-Identifier: Apache-2.0
#include "asyncmem.h"
#include "bench.h"

#define PRAGMA(text) _Pragma(#text)
#define TASKS(clauses) PRAGMA(asyncmem num_task(BENCH_COROUTINES) clauses)
#define REMOTE(pointer) __builtin_is_remote(pointer)
#include "loops.h"

void bench_run(uint64_t first, uint64_t count) { run_loop(first, count); }
