// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %coroamu_cc -O2 -masync=check %s -o %t.check -Werror=pass-failed
// Questions whether a value is constant, as libraries ask in their headers, which the optimizer answers only behind the tasks.
#include "common.h"

enum { COUNT = 300 };

__attribute__((noinline)) static void scale(const uint64_t *a, const uint32_t *at, uint64_t *out, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t value = a[at[i]];
    out[i] = __builtin_constant_p(value) ? value * 2 : value + (uint64_t)i;
    if (__builtin_object_size(&out[i], 0) < 8)
      out[i] = 0;
  }
}

int main() {
  const uint64_t *a = remote_words(COUNT);
  static uint32_t at[COUNT];
  static uint64_t out[COUNT];
  for (uint32_t i = 0; i < COUNT; ++i)
    at[i] = (uint32_t)(mix(i) % COUNT);
  scale(a, at, out, COUNT);
  print_digest("out", out, sizeof out);
  return 0;
}
