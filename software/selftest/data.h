// SPDX-License-Identifier: Apache-2.0
//
// Operation i is the (i / Kinds)-th of kind i % Kinds. Each has a line of far memory of its own kind: reads find what bench_init() left
// there, writes leave the same function of the address.
#pragma once
#include "mix.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RandomRead, StreamRead, Walk, RandomWrite, StreamWrite, Kinds, LineWords = 8, PseudoChannels = 16 };

// Lines of a kind are those with its number in the lowest three bits, so that kinds share none.
enum { KindLines = 8 };
#define SELFTEST_LINES (((uint64_t)1 << SELFTEST_LOG2_WORDS) / LineWords / KindLines)

extern uint64_t *selftest_words;
extern uint64_t selftest_found[(BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS) / Kinds * 3 + 3]; // by the reads

// The word of the n-th operation of a kind. The walk takes line after line of all pseudo channels (256 MiB each) in turn.
static inline uint64_t selftest_index(unsigned kind, uint64_t n) {
  uint64_t line = n;
  if (kind == RandomRead || kind == RandomWrite)
    line = mix64(n + ((uint64_t)kind << 32)) % SELFTEST_LINES;
  else if (kind == Walk)
    line = n % PseudoChannels * (SELFTEST_LINES / PseudoChannels) + n / PseudoChannels;
  return (line * KindLines + kind) * LineWords;
}

static inline uint64_t selftest_value(uint64_t index) { return ~index * 0x9e3779b97f4a7c15u; }

#ifdef __cplusplus
}
#endif
