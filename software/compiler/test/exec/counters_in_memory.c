// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Counters in memory, of every iteration and of some, behind the remote access; one that is read, too, and so counted in order.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 500 };

struct counters {
  uint64_t *table;
  uint32_t reads, odd;
  uint64_t sum;
};
static uint32_t calls;

__attribute__((noinline)) static void count(struct counters *c, uint64_t *restrict out, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(c->table);
    out[i] = c->table[i * 37 % WORDS];
    if (out[i] & 1)
      ++c->odd;
    ++c->reads;
    calls += 2;
  }
}

__attribute__((noinline)) static uint32_t numbered(uint64_t *table, uint64_t *restrict out, int n) {
  uint32_t number = 7;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    out[i] = table[i * 37 % WORDS] + number;
    number += 3;
  }
  return number;
}

int main(void) {
  struct counters c = {.table = remote_words(WORDS)};
  static uint64_t out[COUNT];
  count(&c, out, COUNT);
  count(&c, out, 1);
  uint64_t r[4] = {c.reads, c.odd, calls, numbered(c.table, out, COUNT)};
  print_digest("counters", r, sizeof r);
  print_digest("out", out, sizeof out);
  return 0;
}
