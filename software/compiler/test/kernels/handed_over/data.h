// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench.h"
#include "mix.h"

#define WORDS (1ul << WORDS_LOG2)
#define LOOPS 8

// The words that all loops read, places of them, what each loop but the last one has summed up, and what that has listed.
extern const uint64_t *words;
extern uint32_t places[BENCH_END];
extern uint64_t sums[LOOPS];
extern uint64_t list[BENCH_END], listed_words;

static inline uint64_t place_of(uint64_t n) { return mix64(n) & (WORDS - 1); }
