// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Shared variables that an iteration uses several times: each step between two remote accesses shows the value it changes. The lists are in the order of tasks.
#include "common.h"

enum { COUNT = 300 };

// As a join lists its pairs.
__attribute__((noinline)) static uint64_t pairs(const uint64_t *a, const uint64_t *rows, uint64_t (*out)[2], uint64_t *largest) {
  uint64_t tail = 0, best = 0, where = 0;
#pragma asyncmem num_task(16) shared_var(tail, best, where)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    for (uint64_t j = 0; j < rows[i] % 5; ++j)
      if (a[(i * 7 + j) % COUNT] % 3) {
        const uint64_t at = tail++;
        out[at][0] = i * 8 + j;
        out[at][1] = a[(i + j) % COUNT];
      }
    const uint64_t value = a[i];
    if (value > best) {
      best = value;
      where = i;
    }
  }
  largest[0] = best;
  largest[1] = where;
  return tail;
}

int main(void) {
  const uint64_t *a = remote_words(COUNT), *rows = remote_words(COUNT);
  static uint64_t out[COUNT * 5][2], largest[2], sums[2];
  sums[0] = pairs(a, rows, out, largest);
  for (uint64_t n = 0; n < sums[0]; ++n)
    sums[1] += mix(out[n][0] ^ mix(out[n][1]));
  print_digest("sums", sums, sizeof sums);
  print_digest("largest", largest, sizeof largest);
  return 0;
}
