// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// Keys are read in order: one prefetch brings a cache line of them.
static uint64_t line_end(uint64_t key, uint64_t end) {
  uint64_t next_line = (key / 16 + 1) * 16;
  return next_line < end ? next_line : end;
}

static coro::Task count_buckets(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next, stop = next = line_end(i, end);
    co_await coro::Prefetch{&is_key_array[i]};
    for (; i < stop; ++i)
      ++is_bucket_size[is_key_array[i] >> IS_BUCKET_SHIFT];
  }
}

static coro::Task move_keys(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t i = next, stop = next = line_end(i, end);
    co_await coro::Prefetch{&is_key_array[i]};
    for (; i < stop; ++i) {
      uint32_t key = is_key_array[i];
      is_bucketed[is_bucket_next[key >> IS_BUCKET_SHIFT]++] = key;
    }
  }
}

static coro::Task count_keys(uint64_t &next, uint64_t end) {
  while (next < end) {
    uint64_t bucket = is_bucket(next++);
    co_await coro::Prefetch{&is_bucket_start[bucket]};
    uint64_t k = is_bucket_start[bucket];
    const uint64_t bucket_end = is_bucket_start[bucket + 1];
    while (k < bucket_end) {
      co_await coro::Prefetch{&is_bucketed[k]};
      for (uint64_t stop = line_end(k, bucket_end); k < stop; ++k)
        ++is_key_count[is_bucketed[k]];
    }
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) {
  coro::interleave(first, count, count_buckets);
  coro::interleave(first, count, move_keys);
  const uint64_t begin = is_buckets_before(first);
  coro::interleave(begin, is_buckets_before(first + count) - begin, count_keys);
}
