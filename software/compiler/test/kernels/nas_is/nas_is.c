// SPDX-License-Identifier: Apache-2.0
#include "asyncmem.h"
#include "bench.h"
#include "data.h"

void bench_run(uint64_t first, uint64_t count) {
  int *key_buff_ptr = nas_is_counters;
  const int *key_buff_ptr2 = nas_is_keys;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; i++) {
    __builtin_is_remote(key_buff_ptr);
    __builtin_is_remote(key_buff_ptr2);
    key_buff_ptr[key_buff_ptr2[i]]++;
  }
}
