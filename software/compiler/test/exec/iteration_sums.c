// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// What an inner loop adds to a carried value is computed in front of it, so an iteration needs several versions of that value.
#include "common.h"

enum { LEFT = 800, RIGHT = 1200, PARTS = 32 };

// CHECK: [[#@LINE+3]]:9: remark: loop split into tasks
__attribute__((noinline)) static uint64_t count_matches(const uint64_t *left, const uint64_t *right) {
  uint64_t matches = 0;
#pragma asyncmem num_task(17) reduction(+ : matches)
  for (int part = 0; part < PARTS; ++part) {
    __builtin_is_remote(left);
    __builtin_is_remote(right);
    int a = part * (LEFT / PARTS), end = a + LEFT / PARTS, b = part * 30;
    while (a < end && b < RIGHT)
      if (left[a] % 256 < right[b] % 256) {
        ++a;
      } else if (left[a] % 256 > right[b] % 256) {
        ++b;
      } else {
        for (int k = b; k < RIGHT && right[k] % 256 == left[a] % 256; ++k)
          ++matches;
        ++a;
      }
  }
  return matches;
}

// CHECK: [[#@LINE+3]]:9: remark: loop split into tasks
__attribute__((noinline)) static int32_t count_down(const uint64_t *words, const uint32_t *ends, int32_t left) {
  uint32_t odd = 0;
#pragma asyncmem num_task(5)
  for (int i = 0; i < LEFT; ++i) {
    __builtin_is_remote(words);
    for (uint32_t k = words[i] % 13; k < ends[i]; ++k) {
      if (words[k] == i)
        break;
      left -= 3;
      ++odd;
    }
  }
  return left ^ (int32_t)odd;
}

// Sums whose last value is not what is wanted behind the loop, and of a loop that may end in its middle.
__attribute__((noinline)) static uint64_t first_long(const uint64_t *words, uint64_t limit) {
  uint64_t all = 1;
#pragma asyncmem num_task(9)
  for (int i = 0; i < LEFT; ++i) {
    __builtin_is_remote(words);
    for (uint64_t k = 0; k < words[i] % 7 && words[k] != limit; ++k)
      all += 5;
    if ((uint64_t)i == limit)
      return all * 2;
  }
  return all;
}

int main(void) {
  const uint64_t *left = remote_words(RIGHT), *right = remote_words(RIGHT);
  static uint32_t ends[LEFT];
  for (int i = 0; i < LEFT; ++i)
    ends[i] = (uint32_t)i % 23;
  uint64_t results[4] = {count_matches(left, right), (uint64_t)count_down(left, ends, -7), first_long(left, 300), first_long(left, 1000)};
  print_digest("results", results, sizeof results);
  return 0;
}
