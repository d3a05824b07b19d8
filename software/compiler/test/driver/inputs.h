// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "asyncmem.h"

static inline uint64_t sum_of(uint64_t *a, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(5) shared_var(sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[i * 37 % n];
  }
  return sum;
}
