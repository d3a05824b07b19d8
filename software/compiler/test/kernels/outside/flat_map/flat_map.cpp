// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const flat_map &map = map_of_keys;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(map.buckets);
#ifndef FIRST_MARKS
    __builtin_is_remote(map.entries);
#endif
    const entry *found = map.find(map_key(map_query(i)));
    map_results[i] = found ? found->value : ABSENT;
  }
}
