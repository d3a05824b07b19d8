// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *key_array = is_key_array, *bucket_start = is_bucket_start;
  uint32_t *bucketed = is_bucketed, *bucket_next = is_bucket_next, *bucket_size = is_bucket_size,
           *key_count = is_key_count;

#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(key_array);
    __builtin_is_near(bucket_size);
    ++bucket_size[key_array[i] >> IS_BUCKET_SHIFT];
  }

#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(key_array);
    __builtin_is_remote(bucketed);
    __builtin_is_near(bucket_next);
    uint32_t key = key_array[i];
    bucketed[bucket_next[key >> IS_BUCKET_SHIFT]++] = key;
  }

#pragma asyncmem num_task(BENCH_COROUTINES) distinct_update(key_count)
  for (uint64_t number = is_buckets_before(first); number < is_buckets_before(first + count); ++number) {
    __builtin_is_remote(bucketed);
    __builtin_is_remote(key_count);
    __builtin_is_remote(bucket_start);
    uint64_t bucket = is_bucket(number);
    const uint32_t end = bucket_start[bucket + 1];
    for (uint32_t k = bucket_start[bucket]; k < end; ++k)
      ++key_count[bucketed[k]];
  }
}
