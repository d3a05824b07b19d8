// SPDX-License-Identifier: Apache-2.0
#include "join.h"
#include "asyncmem.h"
#include "bench.h"

static void count_keys(uint64_t first, uint64_t count) {
  const struct tuple *input = join_input;
  uint32_t *histogram = join_histogram;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(input);
    __builtin_is_near(histogram);
    ++histogram[input[i].key % JOIN_FANOUT];
  }
}

static void move_tuples(uint64_t first, uint64_t count) {
  const struct tuple *input = join_input;
  struct tuple *output = join_output;
  uint32_t *next = join_next;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(input);
    __builtin_is_remote(output);
    __builtin_is_near(next);
    const struct tuple tuple = input[i];
    output[next[tuple.key % JOIN_FANOUT]++] = tuple;
  }
}

void radix_pass(uint64_t first, uint64_t count) {
  count_keys(first, count);
  move_tuples(first, count);
}
