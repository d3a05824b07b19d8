// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Shared variables that a loop uses by their addresses: by a function's parameter, a reference, and in lambdas. (Their clauses had no effect.)
#include "common.h"

enum { COUNT = 300 };

static inline void append(uint64_t *list, uint64_t *tail, uint64_t value) { list[(*tail)++] = value; }
static inline void append_if(uint64_t *list, uint64_t &tail, uint64_t value) {
  if (value % 3)
    append(list, &tail, value);
}

__attribute__((noinline)) static uint64_t by_parameter(const uint64_t *a, uint64_t *list) {
  uint64_t tail = 0;
#pragma asyncmem num_task(16) shared_var(tail)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    append_if(list, tail, a[a[i] % COUNT]);
  }
  return tail;
}

__attribute__((noinline)) static uint64_t by_lambda(const uint64_t *a, uint64_t *list, uint64_t *others) {
  uint64_t tail = 0, other_tail = 0;
  auto Add = [&](uint64_t value) {
    if (value % 2)
      list[tail++] = value;
    else
      others[other_tail++] = value;
  };
#pragma asyncmem num_task(16) shared_var(tail, other_tail)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    Add(a[a[i] % COUNT]);
  }
  return tail * 1000 + other_tail;
}

template <class Function> static inline void for_each(const uint64_t *begin, uint64_t count, Function f) {
  for (uint64_t i = 0; i < count; ++i)
    f(begin[i]);
}

// Sums of doubles, which only the clause lets come in any order: all are whole numbers.
__attribute__((noinline)) static double in_the_loop(const uint64_t *a, uint64_t *largest) {
  double sum = 0;
  uint64_t best = 0;
#pragma asyncmem num_task(16) reduction(+ : sum) shared_var(best)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t &most = best;
    for_each(a + i / 2, i % 7, [&](uint64_t value) {
      sum += (double)(value % 1000);
      if (value > most)
        most = value;
    });
  }
  *largest = best;
  return sum;
}

static uint64_t sum_of(const uint64_t *list, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < count; ++i)
    sum += mix(list[i]);
  return sum;
}

int main() {
  const uint64_t *a = remote_words(COUNT);
  static uint64_t list[COUNT], others[COUNT], results[7];
  results[0] = by_parameter(a, list);
  results[1] = sum_of(list, results[0]);
  results[2] = by_lambda(a, list, others);
  results[3] = sum_of(list, results[2] / 1000);
  results[4] = sum_of(others, results[2] % 1000);
  results[5] = (uint64_t)in_the_loop(a, &results[6]);
  print_digest("results", results, sizeof results);
  return 0;
}
