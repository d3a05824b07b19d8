// SPDX-License-Identifier: Apache-2.0
// Prefetches the counter, or the place in its bucket, of a key some keys later, and the beginning of the next bucket.
#include "bench.h"
#include "data.h"

static uint64_t bucket_of(uint32_t key) { return key >> IS_BUCKET_SHIFT; }

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *keys = is_key_array, *start = is_bucket_start;
  uint32_t *bucketed = is_bucketed, *next = is_bucket_next, *size = is_bucket_size, *key_count = is_key_count;
  const uint64_t end = first + count;

  for (uint64_t i = first; i < end; ++i) {
    if (i + BENCH_COROUTINES < end)
      __builtin_prefetch(&size[bucket_of(keys[i + BENCH_COROUTINES])], 1);
    ++size[bucket_of(keys[i])];
  }

  for (uint64_t i = first; i < end; ++i) {
    if (i + 2 * BENCH_COROUTINES < end)
      __builtin_prefetch(&next[bucket_of(keys[i + 2 * BENCH_COROUTINES])], 1);
    if (i + BENCH_COROUTINES < end)
      __builtin_prefetch(&bucketed[next[bucket_of(keys[i + BENCH_COROUTINES])]], 1);
    uint32_t key = keys[i];
    bucketed[next[bucket_of(key)]++] = key;
  }

  const uint64_t last = is_buckets_before(first + count);
  for (uint64_t number = is_buckets_before(first); number < last; ++number) {
    const uint64_t bucket = is_bucket(number), after = is_bucket(number + 1);
    if (number + 1 < last)
      for (uint32_t k = start[after]; k < start[after + 1]; k += 16)
        __builtin_prefetch(&bucketed[k]);
    for (uint32_t k = start[bucket]; k < start[bucket + 1]; ++k) {
      if (k + BENCH_COROUTINES < start[bucket + 1])
        __builtin_prefetch(&key_count[bucketed[k + BENCH_COROUTINES]], 1);
      ++key_count[bucketed[k]];
    }
  }
}
