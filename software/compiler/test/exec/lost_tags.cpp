// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops whose repeating branch optimisation replaces, and the tag on it is lost: a flag or a sentinel that is known on some paths, an exit in
// the middle of an endless loop, a guard that leaves with the loop. Then pins mark the loop.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 700 };
#define NOINLINE __attribute__((noinline))

// The iteration stores the sentinel.
NOINLINE static uint64_t sentinel_chosen(uint64_t *a, uint64_t at,
                                         const uint64_t *__restrict next) {
  uint64_t found = 0;
#pragma asyncmem num_task(8)
  while (at != ~0ull) {
    __builtin_is_remote(a);
    if (a[at] & 1)
      found += at;
    at = next[at] ? next[at] : ~0ull;
  }
  return found;
}
NOINLINE static uint64_t sentinel_stored(uint64_t *a,
                                         const uint64_t *__restrict order) {
  uint64_t sum = 0, i = 0;
#pragma asyncmem num_task(8)
  while (i != ~0ull) {
    __builtin_is_remote(a);
    sum += a[order[i] % WORDS];
    i = order[i] == ~0ull ? ~0ull : i + 1;
  }
  return sum;
}
NOINLINE static uint64_t flag(uint64_t *a, uint64_t *b,
                              const uint64_t *__restrict order) {
  uint64_t sum = 0, i = 0;
  bool more = true;
#pragma asyncmem num_task(8)
  do {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    b[i] ^= 3;
    sum += a[order[i] % WORDS];
    if (order[++i] == ~0ull)
      more = false;
  } while (more);
  return sum;
}
// Becomes part of two functions.
static inline uint64_t up_to(uint64_t *a, const uint64_t *__restrict order,
                             uint64_t end) {
  uint64_t sum = 0, i = 0;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    uint64_t at = order[i++];
    if (at == end)
      break;
    sum += a[at % WORDS] * i;
  }
  return sum;
}
NOINLINE static uint64_t up_to_end(uint64_t *a, const uint64_t *order) {
  return up_to(a, order, ~0ull);
}
NOINLINE static uint64_t up_to_one(uint64_t *a, const uint64_t *order) {
  return up_to(a, order, order[COUNT / 3]);
}
// The elements passed over look like a loop of their own.
NOINLINE static uint64_t passes_over(uint64_t *a,
                                     const uint64_t *__restrict order,
                                     uint64_t n, uint64_t *out) {
  uint64_t sum = 0, i = 0, left = 5;
#pragma asyncmem num_task(8)
  for (;;) {
    __builtin_is_remote(a);
    if (i == n)
      break;
    uint64_t at = order[i++];
    if (at % 3 == 0)
      continue;
    sum += a[at % WORDS];
    out[i - 1] = a[at % WORDS] + i;
    if (at == ~0ull || --left == 0)
      break;
  }
  return sum * 3 + i;
}
struct guard {
  uint64_t *count;
  explicit guard(uint64_t *count) : count(count) { *count += 3; }
  ~guard() { *count ^= 1; }
};
NOINLINE static uint64_t guarded(uint64_t *a,
                                 const uint64_t *__restrict order) {
  uint64_t sum = 0, count = 0, i = 0;
#pragma asyncmem num_task(8)
  while (true) {
    guard g(&count);
    __builtin_is_remote(a);
    uint64_t at = order[i++];
    if (at == ~0ull)
      break;
    if (at & 1)
      continue;
    sum += a[at % WORDS];
  }
  return sum + count;
}
NOINLINE static uint64_t asked(uint64_t *a, const uint64_t *__restrict order) {
  uint64_t sum = 0;
  auto next = [&] { return *order == ~0ull ? nullptr : order++; };
#pragma asyncmem num_task(8)
  while (const uint64_t *at = next()) {
    __builtin_is_remote(a);
    sum += a[*at % WORDS];
  }
  return sum;
}
// Inside a loop that is not marked, with clauses.
NOINLINE static uint64_t each_row(uint64_t *a,
                                  const uint64_t *__restrict order) {
  uint64_t all = 0, last = 0, sum = 0;
  for (uint64_t row = 0; row < 4; ++row) {
    uint64_t i = row * 9;
#pragma asyncmem num_task(8) lastprivate(last) reduction(+ : sum)
    for (;;) {
      __builtin_is_remote(a);
      uint64_t at = order[i++];
      last = a[at % WORDS];
      sum += last;
      if (at == ~0ull)
        break;
    }
    all = all * 5 + sum + last;
  }
  return all;
}

int main() {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  uint64_t order[COUNT], next[WORDS] = {}, out[COUNT] = {};
  const uint64_t lengths[] = {COUNT - 1, 3, 1, 0};
  for (uint64_t length : lengths) {
    for (uint64_t i = 0; i < COUNT; ++i)
      order[i] = i < length ? mix(i) : ~0ull;
    for (uint64_t i = 0; i < length; ++i)
      next[i * 5 % WORDS] = i + 1 < length ? (i + 1) * 5 % WORDS : 0;
    const uint64_t results[] = {sentinel_chosen(a, length ? 0 : ~0ull, next),
                                sentinel_stored(a, order),
                                flag(a, b, order),
                                up_to_end(a, order),
                                up_to_one(a, order),
                                passes_over(a, order, COUNT, out),
                                passes_over(a, order, length, out),
                                guarded(a, order),
                                asked(a, order),
                                each_row(a, order)};
    print_digest("results", results, sizeof results);
  }
  print_digest("words", b, WORDS * sizeof *b);
  print_digest("out", out, sizeof out);
  return 0;
}
