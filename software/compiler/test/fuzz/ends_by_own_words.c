// SPDX-License-Identifier: Apache-2.0
// Whether the loop ends follows from words that the iteration itself writes, one iteration of an inner loop before it reads them.
// (In one iteration of the inner loop the places differ, so launch read the words before the task had written them.)
// RUN: %fuzz_check %s --out %t
#include "harness.h"

__attribute__((noinline)) static uint64_t run_words(const uint64_t *r8, uint64_t *__restrict w8, uint64_t *o8, uint64_t length, uint64_t n) {
  uint64_t i = 0, last;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(r8);
    uint64_t *own = o8 + i * (length + 1);
    last = 1;
    for (uint64_t k = 0; k < length; ++k) {
      last += own[k];
      own[k + 1] = i > n / 2;
    }
    w8[i] = r8[i * 37 & 1023] + last;
    ++i;
  } while (last < 4 && i < n);
  return i;
}

__attribute__((noinline)) static uint64_t run_blocks(const uint64_t *r8, uint64_t *__restrict w8, uint8_t *o1, const char *__restrict key, uint64_t n) {
  uint64_t i = 0, last;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(r8);
    uint8_t *own = o1 + i * 64;
    last = 0;
    for (uint64_t k = 0; k < 12; ++k) {
      last += !__builtin_memcmp(own + 4 * k, key, 4);
      __builtin_memset(own + 4 * k + 4, i > n / 2 ? 7 : 1, 4);
    }
    w8[i] = r8[i * 37 & 1023] + last;
    ++i;
  } while (last < 4 && i < n);
  return i;
}

uint64_t blocks(struct env *e, uint64_t n) {
  for (uint64_t i = 0; i < 8 * n + 8; ++i)
    e->o8[i] = 0;
  return run_blocks(e->r8, e->w8, (uint8_t *)e->o8, "\7\7\7\7", n);
}

uint64_t words(struct env *e, uint64_t n) {
  const uint64_t length = e->r1[3] % 8 + 8;
  for (uint64_t i = 0; i < n * (length + 1) + 1; ++i)
    e->o8[i] = 0;
  return run_words(e->r8, e->w8, e->o8, length, n);
}

const struct entry fuzz_entries[] = {{"words", words, {1, 17, 73}}, {"blocks", blocks, {1, 17, 73}}};
const unsigned fuzz_entry_count = 2;
