// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %clang %plugin -O2 -g -c %s -o %t.o
// OpenMP's words: reduction with operators that are no single instruction,
// shared_var as a counter whose old value is used, firstprivate, lastprivate; also with debug data (the compiler crashed).
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 900 };

struct extremes {
  int64_t max, min;
  float top;
  uint64_t count;
};

__attribute__((noinline)) static struct extremes find(const int64_t *a,
                                                      const float *f, int n) {
  int64_t max = 0, min = 0;
  float top = -1;
  uint64_t count = 0;
#pragma asyncmem num_task(16) reduction(max : max, top) reduction(min : min) reduction(+ : count)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(f);
    int64_t v = a[i * 3];
    if (v > 0) {
      count += 1;
      if (v > max)
        max = v;
    } else if (v < min) {
      min = v;
    }
    if (f[i] > top)
      top = f[i];
  }
  return (struct extremes){max, min, top, count};
}

// Appends in any order: the caller compares the set, not the sequence.
__attribute__((noinline)) static uint64_t append(const uint64_t *a,
                                                 uint64_t *list, int n) {
  uint64_t tail = 5;
#pragma asyncmem num_task(16) shared_var(tail)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(list);
    for (int j = 0; j < 3; ++j)
      if (a[i + j] % 4 == 1)
        list[tail++] = a[i + j] + (uint64_t)i;
  }
  return tail;
}

static uint64_t issued;
__attribute__((noinline)) static void tickets(const uint64_t *a, uint64_t *out,
                                              int n) {
#pragma asyncmem num_task(8) shared_var(issued)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      out[issued++] = a[i];
  }
}

// Each iteration leaves the firstprivate variables as it found them, so that
// the plain loop means the same.
__attribute__((noinline)) static uint64_t copies(uint64_t *a, uint64_t *out,
                                                 int n) {
  uint64_t seed = 12, x = 99, state[2] = {3, 4};
#pragma asyncmem num_task(12) firstprivate(seed, state) lastprivate(x)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t v = a[i];
    seed += v;
    state[seed & 1] ^= a[seed % WORDS];
    x = state[0] + state[1] * seed + a[(seed ^ state[1]) % WORDS];
    state[seed & 1] ^= a[seed % WORDS];
    seed -= v;
    if (x % 64 == 3)
      continue;
    out[i] = x + a[x % WORDS];
  }
  return seed * 7 + x + state[1];
}

static uint64_t sum_of(const uint64_t *words, uint64_t from, uint64_t to) {
  uint64_t sum = 0;
  for (uint64_t i = from; i < to; ++i)
    sum += words[i] * (words[i] ^ 17);
  return sum;
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *list = remote_words(WORDS);
  float *f = remote_alloc(COUNT * sizeof(float));
  for (int i = 0; i < COUNT; ++i)
    f[i] = (float)(mix(i) % 10000) / 16;
  struct extremes e = find((const int64_t *)a, f, COUNT);
  printf("%ld %ld %d %ld\n", (long)e.max, (long)e.min, (int)(e.top * 16),
         (long)e.count);
  uint64_t tail = append(a, list, COUNT), out[COUNT] = {0}, taken[COUNT];
  printf("%ld %lx\n", (long)tail, (long)sum_of(list, 5, tail));
  tickets(a, taken, COUNT);
  printf("%ld %lx\n", (long)issued, (long)sum_of(taken, 0, issued));
  uint64_t r = copies(a, out, COUNT) + copies(a, out, 0);
  print_digest("copies", &r, sizeof r);
  print_digest("out", out, sizeof out);
  return 0;
}
