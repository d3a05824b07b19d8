// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "mix.h"

uint32_t *is_keys, *is_counts;

static uint32_t key_of(uint64_t i) {
  const uint64_t one = mix64(2 * i), other = mix64(2 * i + 1);
  const uint64_t sum = (one >> 32) + (uint32_t)one + (other >> 32) + (uint32_t)other;
  return (uint32_t)(sum >> (34 - IS_LOG2_MAX_KEY));
}

void bench_init(void) {
  is_keys = remote_alloc(BENCH_END * sizeof *is_keys);
  is_counts = remote_alloc(IS_MAX_KEY * sizeof *is_counts);
  for (uint64_t i = 0; i < BENCH_END; ++i)
    is_keys[i] = key_of(i);
  for (uint32_t key = 0; key < IS_MAX_KEY; ++key)
    is_counts[key] = 0;
}

// Every count is taken back, and nothing is left.
bool bench_verify(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    --is_counts[key_of(i)];
  for (uint64_t i = 0; i < count; ++i)
    if (is_counts[key_of(i)] != 0)
      return false;
  return true;
}
