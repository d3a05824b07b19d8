// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Calls that only read memory: of the C library, and of the program. What the iteration has written in remote memory before must be there.
#include "common.h"
#include <string.h>

enum { COUNT = 300 };

// Blocks of 8 to 24 bytes, equal or not.
__attribute__((noinline)) static uint64_t equal(const uint64_t *a, const uint64_t *b, uint64_t n) {
  uint64_t found = 0;
#pragma asyncmem num_task(16) reduction(+ : found)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t at = a[i] & 255;
    found += memcmp(&a[at], &b[i & 7], 8) == 0;
    found += memcmp(&a[at], &a[at + 3], 24) != 0 ? 3 : 0;
  }
  return found;
}

// Which is less; of 1 to 15 bytes at any address.
__attribute__((noinline)) static uint64_t ordered(const uint8_t *a, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    int first = memcmp(a + (i * 7 & 511), a + (i * 3 & 511), 15), second = memcmp(a + i, a + i + 1, 3), third = memcmp(a + i, a, 1);
    sum += (uint64_t)((first > 0) - (first < 0) + 2) + 4 * (uint64_t)((second > 0) - (second < 0) + 2) + 16 * (uint64_t)(third < 0);
  }
  return sum;
}

// The iteration writes it before.
__attribute__((noinline)) static uint64_t written(const uint64_t *a, uint64_t *to, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    uint64_t x = a[i], want[2] = {x * 3, x + i};
    to[2 * i] = x * 3;
    to[2 * i + 1] = x + i;
    sum += memcmp(&to[2 * i], want, 16) == 0;
  }
  return sum;
}

__attribute__((noinline, pure)) static uint64_t sum_of(const uint64_t *p) { return p[0] + 2 * p[1] + 3 * p[2]; }

__attribute__((noinline)) static uint64_t summed(const uint64_t *a, uint64_t *to, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    to[3 * i] = a[i];
    to[3 * i + 1] = i;
    to[3 * i + 2] = a[i + 1];
    sum += sum_of(&to[3 * i]);
  }
  return sum;
}

__attribute__((noinline)) static uint64_t lengths(const uint64_t *a, char *to, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    to[8 * i + (a[i] & 7)] = 0;
    sum += strlen(&to[8 * i]);
  }
  return sum;
}

int main(void) {
  uint64_t *a = remote_words(1 << 12), *to = remote_words(1 << 12), b[8];
  memcpy(b, a + 100, sizeof b);
  uint64_t sums[] = {equal(a, b, COUNT), ordered((const uint8_t *)a, COUNT), written(a, to, COUNT), summed(a, to, COUNT), lengths(a, (char *)to, COUNT)};
  print_digest("sums", sums, sizeof sums);
  return 0;
}
