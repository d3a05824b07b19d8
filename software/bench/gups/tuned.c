// SPDX-License-Identifier: Apache-2.0
// Prefetches the word of an update some updates later.
#include "bench.h"
#include "data.h"

static void update(uint64_t *table, uint64_t operation) {
  uint64_t random = mix64(operation);
  table[gups_index(random)] ^= random;
}

void bench_run(uint64_t first, uint64_t count) {
  uint64_t *table = gups_table;
  const uint64_t end = first + count, prefetched = count > BENCH_COROUTINES ? end - BENCH_COROUTINES : first;
  uint64_t i = first;
#pragma clang loop unroll_count(4)
  for (; i < prefetched; ++i) {
    __builtin_prefetch(&table[gups_index(mix64(i + BENCH_COROUTINES))], 1);
    update(table, i);
  }
  for (; i < end; ++i)
    update(table, i);
}
