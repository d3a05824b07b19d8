// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// do and while loops; the end condition after or before the body.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

__attribute__((noinline)) static uint64_t with_do(uint64_t *a, int n) {
  uint64_t sum = 0;
  int i = 0;
#pragma asyncmem num_task(16) shared_var(sum)
  do {
    __builtin_is_remote(a);
    sum += a[i * 3 % WORDS];
  } while (++i < n);
  return sum + i;
}

__attribute__((noinline)) static uint64_t with_while(uint64_t *a, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) shared_var(sum)
  while (n-- > 0) {
    __builtin_is_remote(a);
    sum += a[n * 5 % WORDS];
  }
  return sum + n;
}

int main(void) {
  uint64_t *a = remote_words(WORDS);
  for (int n = 0; n < 130; n += 13) {
    uint64_t r[2] = {with_do(a, n), with_while(a, n)};
    print_digest("sums", r, sizeof r);
  }
  return 0;
}
