// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *keys = is_keys;
  uint32_t *counts = is_counts;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    ++counts[keys[i]];
  }
}
