// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Products of the counter with a constant: from any start, past the largest number, of 32 bits, with the counter used behind the loop; two of
// them, and an even one.
#include "common.h"

enum { LOG2_WORDS = 12, WORDS = 1 << LOG2_WORDS };

#define FACTOR 0x9e3779b97f4a7c15u

struct outcome {
  uint64_t sum, end;
};

__attribute__((noinline)) static struct outcome until(const uint64_t *a, uint64_t first, uint64_t end) {
  uint64_t sum = 0, i = first;
#pragma asyncmem num_task(12)
  for (; i != end; ++i) {
    __builtin_is_remote(a);
    sum += a[(i * FACTOR + 11) >> (64 - LOG2_WORDS)];
  }
  return (struct outcome){sum, i};
}

__attribute__((noinline)) static struct outcome narrow(const uint64_t *a, uint32_t first, uint32_t end) {
  uint64_t sum = 0;
  uint32_t i = first;
#pragma asyncmem num_task(12)
  do {
    __builtin_is_remote(a);
    sum += a[(i + 1) * 0x85ebca6bu >> (32 - LOG2_WORDS)];
  } while (++i != end);
  return (struct outcome){sum, i};
}

__attribute__((noinline)) static struct outcome twice(const uint64_t *a, uint64_t first, uint64_t end) {
  uint64_t sum = 0, i = first;
#pragma asyncmem num_task(12)
  for (; i < end; ++i) {
    __builtin_is_remote(a);
    sum += a[(i * FACTOR ^ (i * 5 - 3)) >> (64 - LOG2_WORDS)];
  }
  return (struct outcome){sum, i};
}

__attribute__((noinline)) static struct outcome even(const uint64_t *a, uint64_t first, uint64_t end) {
  uint64_t sum = 0, i = first;
#pragma asyncmem num_task(12)
  for (; i != end; ++i) {
    __builtin_is_remote(a);
    sum += a[i * (FACTOR - 1) >> (64 - LOG2_WORDS)];
  }
  return (struct outcome){sum, i};
}

typedef struct outcome loop(const uint64_t *, uint64_t, uint64_t);

static void print(const char *name, loop *run, const uint64_t *a, uint64_t first, uint64_t count) {
  struct outcome o = run(a, first, first + count);
  print_digest(name, &o, sizeof o);
}

int main(void) {
  const uint64_t *a = remote_words(WORDS);
  static const uint64_t counts[] = {0, 1, 2, 12, 13, 300};
  for (unsigned n = 0; n < 6; ++n) {
    print("from zero", until, a, 0, counts[n]);
    print("from anywhere", until, a, 0x123456789, counts[n]);
    print("past the end", until, a, -7ul, counts[n]);
    print("twice", twice, a, 3, counts[n]);
    print("even", even, a, 3, counts[n]);
    if (counts[n]) {
      struct outcome o = narrow(a, -5u, -5u + (uint32_t)counts[n]);
      print_digest("narrow", &o, sizeof o);
    }
  }
}
