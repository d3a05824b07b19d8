// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops whose tasks are in a function of their own, called for runs of every length: left in several ways with values of every kind, with
// more inputs than there are registers for arguments, with variables in memory, in loops around them, two of them in one function.
#include "common.h"

enum { COUNT = 512, RUNS = 3000 };

struct place {
  uint32_t at;
  double weight;
  const uint64_t *word;
};

// Three ways out, each with values of its own.
__attribute__((noinline)) static struct place find(const uint64_t *a, uint32_t n, uint64_t key, int64_t step) {
  struct place p = {n, 0.5, a};
  double weight = 1;
  for (uint32_t i = 0; i < 3; ++i)
    weight += i * 0.25;
#pragma asyncmem num_task(16)
  for (uint32_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (i * 5 % 61 == key % 67) {
      p.at = i | 1u << 31;
      p.weight = weight + i;
      break;
    }
    if (i > 40 && i % 50 == key % 50)
      return (struct place){i, -1, a + 3};
    ((uint64_t *)a)[i % COUNT] ^= (uint64_t)(i * step) << 40;
  }
  return p;
}

struct pair {
  int32_t left;
  int8_t right;
};

__attribute__((noinline)) static uint64_t many(const uint64_t *a, int32_t b, uint16_t c, int8_t d, float e, double f, const uint64_t *g, uint32_t h, int64_t i,
                                               uint8_t j, float k, uint64_t n, struct pair l, _Bool m) {
  uint64_t all = 0;
  uint32_t low = 7;
#pragma asyncmem num_task(16) reduction(+ : all) reduction(^ : low)
  for (uint64_t x = 0; x < n; ++x) {
    __builtin_is_remote(a);
    uint64_t word = a[(x * h + c) % COUNT] + g[(x + j) % COUNT];
    all += word * (uint64_t)b + (uint64_t)d + (uint64_t)(int64_t)(e + k) * x + (uint64_t)(f * 8) - (uint64_t)i + (uint64_t)l.left * (m ? 3 : 5);
    low ^= (uint32_t)word + (uint32_t)l.right;
  }
  return all ^ low;
}

// The number of iterations comes from the loop around it; a variable of which the address is known, and an array.
__attribute__((noinline)) static uint64_t levels(const uint64_t *a, uint32_t *queue, uint64_t most) {
  uint64_t head = 0, tail = 1, digest = 0;
  uint64_t counts[4] = {1, 2, 3, 4};
  queue[0] = 5;
  while (head < tail && tail < most) {
    uint64_t next = tail;
#pragma asyncmem num_task(16) shared_var(next)
    for (uint64_t q = head; q < tail; ++q) {
      __builtin_is_remote(a);
      uint64_t word = a[queue[q] % COUNT];
      uint64_t room[2] = {word & 3, word >> 3 & 1};
      uint64_t children = room[word >> 5 & 1] + counts[q & 3] % 2;
      for (uint64_t c = 0; c < children && next < most; ++c) {
        uint64_t at = next++;
        queue[at] = at * 7;
      }
    }
    head = tail;
    tail = next;
    counts[tail & 3] += tail;
    digest = digest * 3 + tail;
  }
  return digest + counts[0] + counts[1] * 5 + counts[2] * 7 + counts[3] * 11;
}

static uint64_t two(const uint64_t *a, uint64_t *out, uint64_t n, int32_t from) {
  int32_t last = from;
#pragma asyncmem num_task(8) lastprivate(last)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    last = (int32_t)a[i * 3 % COUNT] - from;
    out[i % 32] += i < 32 ? (uint64_t)last : 0;
  }
  const uint64_t more = n / 2 + (uint64_t)(last & 7);
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < more; i += 3) {
    __builtin_is_remote(a);
    out[i] += a[(i + (uint64_t)last) % COUNT] ^ (uint64_t)last;
  }
  return (uint64_t)last;
}

int main(void) {
  uint64_t *a = remote_words(COUNT);
  static uint64_t out[8192], results[6];
  static uint32_t queue[4096];
  for (uint64_t r = 0; r < RUNS; ++r) {
    const uint64_t n = r % 500 == 499 ? 2000 + r : r % 17;
    struct place p = find(a, (uint32_t)(n % 2100), r, (int64_t)r - 70);
    results[0] = results[0] * 3 + p.at + (uint64_t)(int64_t)(p.weight * 4) + (uint64_t)(p.word - a);
    const struct pair l = {-3, (int8_t)(r * 5)};
    results[1] = results[1] * 5;
    results[1] += many(a, -(int32_t)r, (uint16_t)(r * 257), (int8_t)-r, 1.5f, 2.25, a + r % 3, (uint32_t)r | 1u << 31, -5, (uint8_t)(r * 3), 0.5f, n, l, r & 1);
    if (r % 100 == 0)
      results[2] = results[2] * 3 + levels(a, queue, 10 + r);
    results[3] = results[3] * 3 + two(a, out, n, (int32_t)r);
  }
  print_digest("results", results, sizeof results);
  print_digest("out", out, sizeof out);
  print_digest("a", a, COUNT * sizeof *a);
  return 0;
}
