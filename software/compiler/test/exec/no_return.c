// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// A loop in a function that does not return: the function that its tasks become does.
#include "common.h"
#include <stdlib.h>

__attribute__((noinline)) static void finish(const uint64_t *restrict words, uint64_t count) {
  uint64_t sum = 0;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(words);
    sum += words[words[i] & 1023];
  }
  printf("sum %lu\n", (unsigned long)sum);
  exit(0);
}

int main(void) {
  uint64_t *words = remote_alloc(1024 * sizeof *words);
  for (uint64_t i = 0; i < 1024; ++i)
    words[i] = i * 0x9e3779b97f4a7c15u >> 7;
  finish(words, 1000);
}
