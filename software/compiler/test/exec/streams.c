// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops along rows: copies with and without restrict, clauses, several exits, inlined callees.
#include "common.h"

enum { COUNT = 700 };

static void copy(uint64_t *restrict to, const uint64_t *restrict from, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i];
  }
}

// Without restrict.
__attribute__((noinline)) static void move(uint64_t *to, const uint64_t *from, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i] + 1;
  }
}

__attribute__((noinline)) static uint64_t clauses(const uint64_t *a, uint64_t *places, int n) {
  uint64_t sum = 7, scratch = 1, last = 2, start = 3;
  int tail = 0, i = 0;
#pragma asyncmem num_task(16) reduction(+: sum) private(scratch) firstprivate(start) lastprivate(last)
  for (i = 0; i < n; i += 2) {
    __builtin_is_remote(a);
    scratch = a[i] ^ start;
    last = scratch + (start >> 1);
    sum += last;
  }
#pragma asyncmem num_task(16) shared_var(tail)
  for (int k = n - 1; k >= 0; --k) {
    __builtin_is_remote(a);
    if (a[k] % 3 == 0)
      places[tail++] = (uint64_t)k;
  }
  return sum * 31 + last + (uint64_t)(i + tail);
}

__attribute__((noinline)) static int find(const uint64_t *restrict a, uint64_t *restrict seen, int n, uint64_t wanted) {
  int i = 0;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(a);
    __builtin_is_remote(seen);
    if (a[i] == wanted)
      return i;
    seen[i] += 1;
  } while (++i < n);
  return -1;
}

int main(void) {
  uint64_t *a = remote_words(COUNT), *b = remote_words(COUNT), *places = remote_words(COUNT);
  for (int n = 0; n < COUNT; n += 233)
    copy(b + 1, a + 2, n);
  print_digest("copy", b, COUNT * 8);
  for (int n = 1; n < 400; n *= 7) {
    move(a, b, n);
    move(b + 350, b, n);
  }
  print_digest("a", a, COUNT * 8);
  print_digest("b", b, COUNT * 8);
  for (int n = 0; n < 30; n += 7)
    printf("clauses %lu\n", (unsigned long)clauses(a, places, n));
  for (int at = 0; at < COUNT; at += 99)
    printf("find %d\n", find(a, b, COUNT, at % 2 ? a[at] : 5));
  print_digest("b", b, COUNT * 8);
  uint64_t sum = 0;
  for (int i = 0; i < COUNT; ++i)
    sum += mix(places[i]);
  printf("places in any order %lu\n", (unsigned long)sum);
  return 0;
}
