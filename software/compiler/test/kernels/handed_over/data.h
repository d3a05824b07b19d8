// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench.h"
#include "mix.h"

#define WORDS (1ul << WORDS_LOG2)
#define LOOPS 6

// The words that all loops read, places of them, and what each loop has summed up.
extern const uint64_t *words;
extern uint32_t places[BENCH_END];
extern uint64_t sums[LOOPS];

static inline uint64_t place_of(uint64_t n) { return mix64(n) & (WORDS - 1); }
