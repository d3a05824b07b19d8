// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// A pointer to one of two equal variables, by the control flow: what makes the variables may look alike, but they are two.
#include "common.h"

enum { WORDS = 1 << 10, COUNT = 500 };

__attribute__((noinline)) static void show(const char *name, uint64_t *value) { print_digest(name, value, sizeof *value); }

__attribute__((noinline)) static void count(uint64_t *table, uint64_t *__restrict hits, int n) {
  uint64_t odd = 1, even = 2;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    uint64_t word = table[i * 37 % WORDS], *place;
    if (word & 1) {
      hits[i] += 1;
      place = &odd;
    } else {
      hits[i] ^= word;
      place = &even;
    }
    *place += word;
  }
  show("odd", &odd);
  show("even", &even);
}

int main() {
  static uint64_t hits[COUNT];
  count(remote_words(WORDS), hits, COUNT);
  print_digest("hits", hits, sizeof hits);
}
