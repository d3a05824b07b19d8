// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// C++: a template with num_task from its argument, a lambda, a range for, unbraced if.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

template <int Tasks, typename T>
__attribute__((noinline)) T total(T *a, int n) {
  T sum = 0;
  if (n > 0)
#pragma asyncmem num_task(Tasks) shared_var(sum)
    for (int i = 0; i < n; ++i) {
      __builtin_is_remote(a);
      sum += a[i];
    }
  else
    sum = 1;
  return sum;
}

int main() {
  uint64_t *a = remote_words(WORDS);
  auto *small = reinterpret_cast<uint16_t *>(a);
  int order[100];
  for (int i = 0; i < 100; ++i)
    order[i] = int(mix(i) % WORDS);
  uint64_t sum = 0;
  auto visit = [&] {
#pragma asyncmem num_task(9) shared_var(sum)
    for (int i : order) {
      __builtin_is_remote(a);
      sum ^= a[i] * 3;
    }
  };
  visit();
  uint64_t r[3] = {total<5>(a, 1000), total<3>(small, 77), sum};
  r[1] += total<5>(a, 0);
  print_digest("sums", r, sizeof r);
  return 0;
}
