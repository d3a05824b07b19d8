// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Iterations that read remote arrays in sequence are joined, a line's worth each: every number of iterations up to some lines, from
// every place in a line and over the ends of pages, upwards and downwards, with elements of 1 to 8 bytes; with local updates that joined
// iterations meet in, stores in any order, and a value that runs through all of them.
#include "common.h"

enum { WORDS = 1 << 12, MOST = 70 };

static uint64_t local[16];

__attribute__((noinline)) static void copy(uint32_t *restrict to, const uint32_t *restrict from, uint64_t first, uint64_t end) {
#pragma asyncmem num_task(16)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[i] = from[i] * 3 + 1;
  }
}

__attribute__((noinline)) static void reverse(uint64_t *restrict to, const uint64_t *restrict from, int64_t first, int64_t end) {
#pragma asyncmem num_task(16)
  for (int64_t i = end - 1; i >= first; --i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    to[end + first - 1 - i] = from[i];
  }
}

__attribute__((noinline)) static void count(const uint32_t *keys, uint64_t first, uint64_t end) {
#pragma asyncmem num_task(16)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(keys);
    ++local[keys[i] % 16];
  }
}

// Both arrays are of one type and neither is restrict: that the stores pass each other is the promise.
__attribute__((noinline)) static void scatter(uint16_t *to, const uint16_t *keys, const uint8_t *bytes, uint64_t first, uint64_t end) {
  uint64_t place = first;
#pragma asyncmem num_task(16)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(keys);
    __builtin_is_remote(bytes);
    to[place * 5 % WORDS] = keys[i] + bytes[i];
    place = place + 1;
  }
}

__attribute__((noinline)) static uint64_t add(uint64_t *a, const uint8_t *b, uint64_t first, uint64_t end) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    a[i] += b[i];
    sum += a[i];
  }
  return sum;
}

// Never as many iterations as one line has elements.
__attribute__((noinline)) static uint64_t add_few(const uint32_t *words, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < (n & 7); ++i) {
    __builtin_is_remote(words);
    sum += words[i] * 3;
  }
  return sum;
}

int main(void) {
  static uint64_t sums[MOST];
  uint32_t *from = remote_alloc(WORDS * 4), *to = remote_alloc(WORDS * 4);
  uint64_t *words = remote_alloc(WORDS * 8), *reversed = remote_alloc(WORDS * 8);
  uint16_t *scattered = remote_alloc(WORDS * 2), *keys = remote_alloc(WORDS * 2);
  uint8_t *bytes = remote_alloc(WORDS);
  for (uint64_t i = 0; i < WORDS; ++i) {
    from[i] = i * 2654435761u;
    words[i] = i * 11400714819323198485u;
    keys[i] = i * 40503u;
    bytes[i] = i * 7;
    to[i] = reversed[i] = scattered[i] = 0;
  }
  for (uint64_t n = 0; n < MOST; ++n) {
    // A page holds 1024, 512 and 2048 elements.
    const uint64_t first[] = {n % 17, 1024 - n / 2, 512 - n % 9, 2048 - n % 33};
    for (int k = 0; k < 4; ++k) {
      const uint64_t begin = first[k], end = begin + n;
      copy(to, from, begin, end);
      reverse(reversed, words, begin, end);
      count(from, begin, end);
      scatter(scattered, keys, bytes, begin, end);
      sums[n] += add(words, bytes, begin, end);
      sums[n] += add_few(from + begin, n);
    }
  }
  print_digest("to", to, WORDS * sizeof *to);
  print_digest("reversed", reversed, WORDS * sizeof *reversed);
  print_digest("scattered", scattered, WORDS * sizeof *scattered);
  print_digest("words", words, WORDS * sizeof *words);
  print_digest("local", local, sizeof local);
  print_digest("sums", sums, sizeof sums);
  return 0;
}
