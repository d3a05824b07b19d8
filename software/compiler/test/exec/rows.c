// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Rows of every length, of which tasks keep a block: elements of several widths, upwards and downwards, two fields of one
// record, and iterations that write into the row they read, through another variable, at its ends and across words.
#include "common.h"

enum { WORDS = 1 << 13, ROWS = 130 };

// Row r has r % 65 elements, the first of them anywhere in a line.
static uint64_t begins(uint64_t r) { return r * 31 % 1024; }
static uint64_t ends(uint64_t r) { return begins(r) + r % 65; }

__attribute__((noinline)) static uint64_t sums(const uint64_t *words, const uint32_t *halves, const uint8_t *bytes) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(words);
    __builtin_is_remote(halves);
    __builtin_is_remote(bytes);
    for (uint64_t k = begins(r); k < ends(r); ++k)
      sum += words[k] * k;
    for (uint32_t k = ends(r); k > begins(r); --k)
      sum += halves[k] * k;
    for (uint64_t k = begins(r); k < ends(r); k += 3)
      sum += bytes[k] << k % 32;
  }
  return sum;
}

struct entry {
  uint32_t key, payload;
};

__attribute__((noinline)) static uint64_t probe(const struct entry *entries, uint32_t wanted) {
  uint64_t found = 0;
#pragma asyncmem num_task(16) reduction(+ : found)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(entries);
    for (uint64_t k = begins(r); k < ends(r); ++k)
      if (entries[k].key % 3 == wanted)
        found += entries[k].payload;
  }
  return found;
}

// Each iteration has 64 words of its own; what it writes it reads again.
__attribute__((noinline)) static void chain(const uint64_t *from, uint64_t *to) {
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < ROWS / 2; ++r) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    for (uint64_t k = r * 64; k < r * 64 + r % 60; ++k)
      to[k] += from[k] ^ k;
  }
}

// Bytes are read, words are written: some lie across the end of the block.
__attribute__((noinline)) static uint64_t mixed(const uint8_t *from, uint64_t *to) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t r = 0; r < 60; ++r) {
    __builtin_is_remote(from);
    for (uint64_t k = r * 256; k < r * 256 + 150; ++k) {
      uint64_t x = (uint64_t)from[k] << k % 24;
      sum += x;
      if (k % 7 == 3)
        to[(k + 9) / 8] = x + k;
    }
  }
  return sum;
}

// x[k[i]]++ along rows: the keys are a row, the counters are not.
__attribute__((noinline)) static void count(const uint32_t *keys, uint32_t *counters) {
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counters);
    for (uint64_t k = begins(r); k < ends(r); ++k)
      counters[keys[k] % 512] += k;
  }
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *b = remote_words(WORDS);
  uint64_t results[4] = {sums(a, (uint32_t *)a, (uint8_t *)a), probe((struct entry *)a, 1)};
  chain(a, b);
  chain(a, a + 1);
  chain(a + 2, a);
  results[2] = mixed((uint8_t *)b, b);
  results[3] = mixed((uint8_t *)a + 5, a);
  count((uint32_t *)a, (uint32_t *)b);
  print_digest("results", results, sizeof results);
  print_digest("a", a, WORDS * sizeof *a);
  print_digest("b", b, WORDS * sizeof *b);
  return 0;
}
