// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  uint64_t *table = gups_table;
#pragma asyncmem num_task(BENCH_COROUTINES) lossy_update(table)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(table);
    uint64_t random = mix64(i);
    table[gups_index(random)] ^= random;
  }
}
