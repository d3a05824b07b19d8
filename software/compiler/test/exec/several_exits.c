// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Loops left from the middle: break, return, goto; whether they are left is
// known in program order, the remote work before and behind the exit is not.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

// Break on local data, behind a remote update of the same iteration.
__attribute__((noinline)) static int stop_at(uint64_t *a, uint64_t *b,
                                             const int *restrict order, int n) {
  int i;
#pragma asyncmem num_task(16)
  for (i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    b[i * 2] ^= (uint64_t)i;
    if (order[i] < 0)
      break;
    b[i * 2 + 1] += a[order[i]];
  }
  return i;
}

// Two returns, a goto and the end, each with its own value.
__attribute__((noinline)) static uint64_t leave(uint64_t *a, const int *restrict order,
                                                int n, uint64_t *out) {
  uint64_t sum = 0;
  int i = 0;
#pragma asyncmem num_task(8) shared_var(sum)
  while (1) {
    __builtin_is_remote(a);
    int at = order[i];
    if (at == -1)
      return sum + 1;
    sum += a[at];
    if (at == 77)
      goto found;
    if (at % 64 == 5 && i > n / 2)
      return sum * 3 + (uint64_t)i;
    out[i] = a[at + 1] + sum % 1;
    if (++i == n)
      break;
  }
  return sum;
found:
  return sum ^ (uint64_t)i;
}

// The last iteration's own value on each way out.
__attribute__((noinline)) static uint64_t last(uint64_t *a, uint64_t *b,
                                               const int *restrict order, int n) {
  uint64_t x = 0, y = 0;
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    x = a[order[i] & 0xfff] * 3;
    if (order[i] < 0)
      break;
    y = a[x % WORDS];
    b[i] += 3;
    if (order[i] == 77)
      return x ^ y;
  }
  return x + 1;
}

int main(void) {
  uint64_t *a = remote_words(WORDS + 1), *b = remote_words(WORDS);
  int order[COUNT];
  uint64_t out[COUNT], results[64] = {0};
  int k = 0;
  for (int end = 0; end < 4; ++end) {
    for (int i = 0; i < COUNT; ++i) {
      order[i] = (int)(mix(i) % WORDS);
      if (order[i] == 77 || order[i] % 64 == 5)
        order[i]++;
      out[i] = 0;
    }
    if (end == 1)
      order[500] = -1;
    if (end == 2)
      order[321] = 77;
    if (end == 3)
      order[0] = -1;
    results[k++] = (uint64_t)stop_at(a, b, order, COUNT);
    results[k++] = last(a, b, order, COUNT);
    results[k++] = leave(a, order, COUNT, out);
    if (end == 0) {
      order[700] = 5;
      results[k++] = leave(a, order, COUNT, out);
    }
    print_digest("out", out, sizeof out);
  }
  print_digest("words", b, WORDS * sizeof *b);
  print_digest("results", results, sizeof results);
  return 0;
}
