// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

_Static_assert(BENCH_END <= IS_KEYS, "one key an operation");

uint32_t *is_key_array;
uint32_t *is_bucketed;
uint32_t *is_bucket_start;
uint32_t *is_bucket_next;
uint32_t *is_bucket_size;
uint32_t *is_key_count;

// The mean of four random numbers, as in NPB.
static uint32_t make_key(uint64_t i) {
  uint64_t random = mix64(i), sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += random >> 16 * k & 0xffff;
  return sum * IS_MAX_KEY >> 18;
}

static uint32_t *allocate(uint64_t words) {
  uint32_t *array = remote_alloc(words * sizeof(uint32_t));
  for (uint64_t i = 0; i < words; ++i)
    array[i] = 0;
  return array;
}

void bench_init(void) {
  is_key_array = allocate(IS_KEYS);
  is_bucketed = allocate(IS_KEYS);
  is_bucket_start = allocate(IS_BUCKETS + 1);
  is_bucket_next = allocate(IS_BUCKETS);
  is_bucket_size = allocate(IS_BUCKETS);
  is_key_count = allocate(IS_MAX_KEY);
  for (uint64_t i = 0; i < IS_KEYS; ++i) {
    is_key_array[i] = make_key(i);
    ++is_bucket_start[(is_key_array[i] >> IS_BUCKET_SHIFT) + 1];
  }
  for (uint64_t b = 0; b < IS_BUCKETS; ++b) {
    is_bucket_start[b + 1] += is_bucket_start[b];
    is_bucket_next[b] = is_bucket_start[b];
  }
  for (uint64_t i = 0; i < IS_KEYS; ++i)
    is_bucketed[is_bucket_next[is_key_array[i] >> IS_BUCKET_SHIFT]++] = is_key_array[i];
  for (uint64_t b = 0; b < IS_BUCKETS; ++b)
    is_bucket_next[b] = is_bucket_start[b];
}

// Sizes and positions of the buckets fit the slice's keys, and the same keys, by a sum over their hashes, are in the buckets.
static bool verify_slice(uint64_t count) {
  uint64_t keys_hash = 0, bucketed_hash = 0;
  for (uint64_t b = 0; b < IS_BUCKETS; ++b)
    if (is_bucket_size[b] != is_bucket_next[b] - is_bucket_start[b])
      return false;
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    --is_bucket_size[is_key_array[i] >> IS_BUCKET_SHIFT];
    keys_hash += mix64(is_key_array[i]);
  }
  for (uint64_t b = 0; b < IS_BUCKETS; ++b) {
    if (is_bucket_size[b] != 0)
      return false;
    for (uint32_t k = is_bucket_start[b]; k < is_bucket_next[b]; ++k) {
      bucketed_hash += mix64(is_bucketed[k]);
      if (is_bucketed[k] >> IS_BUCKET_SHIFT != b)
        return false;
    }
  }
  return keys_hash == bucketed_hash;
}

static bool verify_counts(uint64_t count) {
  for (uint64_t number = is_buckets_before(BENCH_FIRST); number < is_buckets_before(BENCH_FIRST + count); ++number) {
    uint64_t bucket = is_bucket(number);
    for (uint32_t k = is_bucket_start[bucket]; k < is_bucket_start[bucket + 1]; ++k)
      --is_key_count[is_bucketed[k]];
    for (uint64_t key = bucket << IS_BUCKET_SHIFT; key < (bucket + 1) << IS_BUCKET_SHIFT; ++key)
      if (is_key_count[key] != 0)
        return false;
  }
  return true;
}

bool bench_verify(uint64_t count) { return verify_slice(count) && verify_counts(count); }
