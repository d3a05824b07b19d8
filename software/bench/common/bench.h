// SPDX-License-Identifier: Apache-2.0
// What a benchmark implements; common/main.c calls it. Operations are numbered from 0; warm-up and measured region run
// disjoint ranges of them. BENCH_* macros come from bench.toml's scales.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// The first operation that is run: 0, but another in a sample of the whole run (tools/nhg/sampling.py), for which bench.toml says `sampling`.
#ifndef BENCH_FIRST
#define BENCH_FIRST 0
#endif
// Where code and data lie: moved by so many steps, to see what their places are worth.
#ifndef BENCH_PLACEMENT
#define BENCH_PLACEMENT 0
#endif
// One after the last
#define BENCH_END (BENCH_FIRST + BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS)

#ifdef __cplusplus
extern "C" {
#endif

// Allocates and fills the data (not measured; runs on the golden model).
void bench_init(void);
// Runs operations [first, first + count): the measured code.
void bench_run(uint64_t first, uint64_t count);
// True when the state equals what serial code gives after operations [BENCH_FIRST, BENCH_FIRST + count).
bool bench_verify(uint64_t count);

#ifdef __cplusplus
}
#endif
