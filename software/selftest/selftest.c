// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

enum { PerKind = (BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS) / Kinds };

static void read_kind(unsigned kind, uint64_t first, uint64_t count) {
  uint64_t *words = selftest_words, *found = selftest_found + kind * PerKind;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t n = first; n < first + count; ++n) {
    __builtin_is_remote(words);
    found[n] = words[selftest_index(kind, n)];
  }
}

static void write_kind(unsigned kind, uint64_t first, uint64_t count) {
  uint64_t *words = selftest_words;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t n = first; n < first + count; ++n) {
    __builtin_is_remote(words);
    uint64_t index = selftest_index(kind, n);
    words[index] = selftest_value(index);
  }
}

void bench_run(uint64_t first, uint64_t count) {
  for (unsigned kind = RandomRead; kind <= Walk; ++kind)
    read_kind(kind, first / Kinds, count / Kinds);
  for (unsigned kind = RandomWrite; kind <= StreamWrite; ++kind)
    write_kind(kind, first / Kinds, count / Kinds);
}
