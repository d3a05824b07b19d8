// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Tasks call functions that have marked loops of their own. The AMU serves one loop at a time, so these become part of the tasks; else their requests got
// the IDs of the tasks that waited.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 300 };

__attribute__((noinline, pure)) static uint64_t row(const uint64_t *a, uint64_t from) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < 40; ++i) {
    __builtin_is_remote(a);
    sum += a[a[from + i] & (WORDS - 1)];
  }
  return sum;
}

__attribute__((noinline, pure)) static uint64_t rows(const uint64_t *a, uint64_t from) { return row(a, from) ^ a[from]; }

__attribute__((noinline)) static void store_row(const uint64_t *a, uint64_t from, uint64_t *to) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < 50; ++i) {
    __builtin_is_remote(a);
    sum ^= a[a[from + i] & (WORDS - 1)];
  }
  *to += sum;
}

__attribute__((noinline)) static uint64_t sums(const uint64_t *k, const uint64_t *a, uint64_t *to) {
  uint64_t all = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(k);
    uint64_t found = rows(a, k[i * 7 & (WORDS - 1)] & (WORDS / 2 - 1));
    all += found ^ k[found & (WORDS - 1)];
    to[i] = found;
  }
  return all;
}

__attribute__((noinline)) static uint64_t stores(const uint64_t *k, const uint64_t *a, uint64_t *to) {
  uint64_t all = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(k);
    uint64_t from = k[i * 7 & (WORDS - 1)] & (WORDS / 2 - 1);
    store_row(a, from, to + i);
    all += k[from];
  }
  return all;
}

int main(void) {
  uint64_t *k = remote_words(WORDS), *a = remote_words(WORDS);
  static uint64_t to[COUNT];
  uint64_t all = sums(k, a, to);
  print_digest("sums", to, sizeof to);
  all += stores(k, a, to) * 3;
  store_row(a, 100, to);
  all += row(a, 77) * 5;
  print_digest("stores", to, sizeof to);
  print_digest("all", &all, sizeof all);
  return 0;
}
