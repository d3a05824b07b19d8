// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Updates of words that no other iteration updates (distinct_update), of which tasks keep a line: words of 1 to 8 bytes, lines that
// iterations share, rows of every length, one line for long and another one each time; an iteration that reads what it updated, through
// another pointer, before and behind the row, reads its keys from the line it updates, updates the same words in two places, or uses the
// old value.
#include "common.h"

enum { ROWS = 96, MOST = 40, WORDS = ROWS * 24 };

typedef uint32_t block __attribute__((vector_size(128)));

static uint64_t length(uint64_t r) { return r * 7 % MOST; }
static uint64_t random(uint64_t x) { return (x * 11400714819323198485u) >> 40; }

// Iteration r has the words from 5 r on: 5 of 4 bytes are no line, nor is a line one iteration's.
__attribute__((noinline)) static void count(const uint8_t *keys, uint32_t *counts) {
#pragma asyncmem num_task(16) distinct_update(counts)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint64_t k = 0; k < length(r); ++k)
      ++counts[r * 5 + keys[r * MOST + k] % 5];
  }
}

// As many lines as tasks may keep: one after the other, in turns, one update in each.
__attribute__((noinline)) static void spread(const uint8_t *keys, uint64_t *sums, uint64_t period) {
#pragma asyncmem num_task(16) distinct_update(sums)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(sums);
    for (uint64_t k = 0; k < length(r); ++k)
      sums[r + ROWS * (k / period % 24)] += keys[r * MOST + k] * k;
  }
}

// Bytes, halves and floating-point words, only some of them updated.
__attribute__((noinline)) static void widths(const uint8_t *keys, uint8_t *bytes, uint16_t *halves, double *reals) {
#pragma asyncmem num_task(16) distinct_update(bytes)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(bytes);
    for (uint64_t k = 0; k < length(r); ++k)
      if (keys[r * MOST + k] % 3)
        bytes[r * 3 + k % 3] ^= keys[r * MOST + k];
  }
#pragma asyncmem num_task(16) distinct_update(halves)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(halves);
    for (uint64_t k = 0; k < length(r); ++k)
      halves[r * 9 + keys[r * MOST + k] % 9] = halves[r * 9 + keys[r * MOST + k] % 9] * 3 + 1;
  }
#pragma asyncmem num_task(16) distinct_update(reals)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(reals);
    for (uint64_t k = 0; k < length(r); ++k)
      reals[r * 2 + k / 4 % 2] = reals[r * 2 + k / 4 % 2] * 0.5 + keys[r * MOST + k];
  }
}

// Each key decides about the next update, and the key may be a word that was updated just before.
__attribute__((noinline)) static void own_keys(uint32_t *words) {
#pragma asyncmem num_task(16) distinct_update(words)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(words);
    for (uint64_t k = 0; k < 40; ++k)
      words[r * 24 + words[r * 24 + k % 24] % 24] += k;
  }
}

// A second update in another place, a reader inside the row and one behind it, through a pointer the compiler cannot relate.
__attribute__((noinline)) static uint64_t read_again(const uint8_t *keys, uint32_t *counts, const uint32_t *same, uint64_t *first) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) distinct_update(counts) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    __builtin_is_remote(same);
    for (uint64_t k = 0; k < length(r); ++k) {
      if (keys[r * MOST + k] % 8 == 7)
        counts[r * 24 + k % 24] -= 5;
      counts[r * 24 + keys[r * MOST + k] % 24] += 3;
      if (k % 11 == 5)
        sum += same[r * 24 + k % 24] * k;
    }
    first[r] = same[r * 24] + same[r * 24 + 23];
  }
  return sum;
}

// What is read from memory that is not remote may be more than one line, of which the last one is the kept line.
__attribute__((noinline)) static uint64_t read_wide(const uint8_t *keys, uint32_t *counts, const block *blocks) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) distinct_update(counts) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS / 2; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint64_t k = 0; k < length(r); ++k) {
      counts[r * 32 + 16 + keys[r * MOST + k] % 16] += 3;
      if (k % 5 == 4) {
        const block words = blocks[r];
        sum += (words[17] * 3 + words[22] + words[30]) * k;
      }
    }
  }
  return sum;
}

// The old value is needed, and the store behind the row may be to an updated word.
__attribute__((noinline)) static void claim(const uint8_t *keys, uint32_t *next, uint32_t *to) {
#pragma asyncmem num_task(16) distinct_update(next)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(next);
    __builtin_is_remote(to);
    for (uint64_t k = 0; k < length(r); ++k)
      to[r * MOST + next[r * 4 + keys[r * MOST + k] % 4]++ % MOST] = k;
    next[r * 4 + 1] = r;
  }
}

// Halves of lines, each of which one iteration changes as a whole, or but for one word.
__attribute__((noinline)) static void half_lines(const uint8_t *keys, uint32_t *counts, uint64_t *sums, uint8_t *bytes) {
#pragma asyncmem num_task(16) distinct_update(counts)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(counts);
    for (uint64_t k = 0; k < length(r); ++k)
      counts[r * 8 + k % (8 - r % 2)] += keys[r * MOST + k] + 1;
  }
#pragma asyncmem num_task(16) distinct_update(sums)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(sums);
    for (uint64_t k = 0; k < length(r); ++k)
      sums[r * 8 + k / 12 % 2 * 4 + k % 4] += keys[r * MOST + k];
  }
#pragma asyncmem num_task(16) distinct_update(bytes)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(bytes);
    for (uint64_t k = 0; k < length(r); ++k)
      bytes[r * 32 + k % 32] ^= keys[r * MOST + k] | 1;
  }
}

int main(void) {
  uint8_t *keys = remote_alloc(ROWS * MOST), *bytes = remote_alloc(ROWS * 3 + 8);
  uint16_t *halves = remote_alloc(ROWS * 9 * 2 + 8);
  uint32_t *counts = remote_alloc(WORDS * 4), *words = remote_alloc(WORDS * 4), *again = remote_alloc(WORDS * 4);
  uint32_t *next = remote_alloc(ROWS * 4 * 4), *to = remote_alloc(ROWS * MOST * 4);
  uint64_t *sums = remote_alloc(WORDS * 8);
  block *blocks = remote_alloc(ROWS / 2 * sizeof *blocks);
  double *reals = remote_alloc(ROWS * 2 * 8);
  static uint64_t first[ROWS], results[4];
  for (uint64_t i = 0; i < ROWS * MOST; ++i) {
    keys[i] = random(i);
    to[i] = 0;
  }
  for (uint64_t i = 0; i < WORDS; ++i) {
    counts[i] = sums[i] = again[i] = 0;
    words[i] = random(i + WORDS);
  }
  for (uint64_t i = 0; i < ROWS * 9; ++i)
    halves[i] = i;
  for (uint64_t i = 0; i < ROWS * 3; ++i)
    bytes[i] = i;
  for (uint64_t i = 0; i < ROWS * 4; ++i)
    next[i] = 0;
  for (uint64_t i = 0; i < ROWS * 2; ++i)
    reals[i] = 0;
  count(keys, counts);
  spread(keys, sums, 1);
  spread(keys, sums, 3);
  spread(keys, sums, 16);
  widths(keys, bytes, halves, reals);
  own_keys(words);
  results[0] = read_again(keys, again, again, first);
  for (uint64_t r = 0; r < ROWS / 2; ++r)
    blocks[r] = (block){0};
  results[1] = read_wide(keys, (uint32_t *)blocks, blocks);
  claim(keys, next, to);
  half_lines(keys, counts, sums, (uint8_t *)again);
  print_digest("counts", counts, WORDS * sizeof *counts);
  print_digest("sums", sums, WORDS * sizeof *sums);
  print_digest("bytes", bytes, ROWS * 3);
  print_digest("halves", halves, ROWS * 9 * sizeof *halves);
  print_digest("reals", reals, ROWS * 2 * sizeof *reals);
  print_digest("words", words, WORDS * sizeof *words);
  print_digest("again", again, WORDS * sizeof *again);
  print_digest("first", first, sizeof first);
  print_digest("next", next, ROWS * 4 * sizeof *next);
  print_digest("to", to, ROWS * MOST * sizeof *to);
  print_digest("results", results, sizeof results);
  return 0;
}
