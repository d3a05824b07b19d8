// SPDX-License-Identifier: Apache-2.0
// Clang does not say where a variable comes to life that is the function's result, so it cannot be told from those of the body: the loop is refused.
// RUN: %fuzz_check %s --out %t
// RUN: %clang %plugin -std=c++20 -I%compiler/fuzz -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
#include "harness.h"

struct two {
  uint64_t words[2];
};

static inline two result(env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
  two values;
// CHECK: result_of_unknown_life.cpp:[[#@LINE+1]]:9: warning: loop left serial: which of its variables live on to the next iteration is not known
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    if (i == 0)
      for (int j = 0; j < 2; ++j)
        values.words[j] = j;
    const uint64_t last = values.words[i & 1];
    values.words[last & 1] += 3;
    o8[i] = r8[i & 1023] + last;
  }
  return values;
}

uint64_t unused_result(env *e, uint64_t n) {
  result(e, n);
  return 1;
}

extern "C" const entry fuzz_entries[] = {{"unused_result", unused_result, {40, 17, 1000}}};
extern "C" const unsigned fuzz_entry_count = 1;
