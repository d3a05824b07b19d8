// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// A floating point reduction that a clause allows; the values make it exact.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

__attribute__((noinline)) static double run(double *a) {
  double sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    sum += a[i];
  }
  return sum;
}

int main(void) {
  double *a = (double *)remote_alloc(COUNT * 8);
  for (int i = 0; i < COUNT; ++i)
    a[i] = (double)(mix(i) % 1024);
  printf("%ld\n", (long)run(a));
  return 0;
}
