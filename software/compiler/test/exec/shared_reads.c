// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// Variables that iterations share are read before a remote access, or twice, in expressions that update them behind it.
#include "common.h"

enum { VERTICES = 256, DEGREE = 8 };

// The largest weight of all neighbours.
#define LARGEST(name, update)                                                                                                    \
  __attribute__((noinline)) static uint64_t name(const uint64_t *weights, const uint32_t *starts, const uint32_t *ends) {       \
    uint64_t best = 3;                                                                                                           \
    _Pragma("asyncmem num_task(16) reduction(max : best)") for (uint32_t v = 0; v < VERTICES; ++v) {                            \
      __builtin_is_remote(weights);                                                                                              \
      __builtin_is_remote(ends);                                                                                                 \
      for (uint32_t e = starts[v]; e < starts[v + 1]; ++e) {                                                                     \
        update                                                                                                                   \
      }                                                                                                                          \
    }                                                                                                                            \
    return best;                                                                                                                 \
  }

// CHECK-COUNT-5: remark: loop split into tasks
LARGEST(read_behind, if (weights[ends[e]] > best) best = weights[ends[e]];)
LARGEST(read_before, if (best < weights[ends[e]]) best = weights[ends[e]];)
LARGEST(read_twice, best = weights[ends[e]] > best ? weights[ends[e]] : best;)
LARGEST(written_always, uint64_t w = weights[ends[e]]; best = w < best ? best : w;)

// A step that reads the variable first, where a task has waited before it and waits again.
__attribute__((noinline)) static uint64_t sum_read_first(const uint64_t *weights, const uint32_t *ends) {
  uint64_t all = 1;
#pragma asyncmem num_task(16) shared_var(all)
  for (uint32_t v = 0; v < VERTICES; ++v) {
    __builtin_is_remote(weights);
    uint64_t first = weights[ends[v]];
    uint64_t old = all;
    all = old + weights[first % VERTICES];
  }
  return all;
}

int main(void) {
  const uint64_t *weights = remote_words(VERTICES);
  uint32_t *ends = remote_alloc(VERTICES * DEGREE * sizeof *ends);
  static uint32_t starts[VERTICES + 1];
  for (uint32_t v = 0; v <= VERTICES; ++v)
    starts[v] = v * DEGREE;
  for (uint32_t e = 0; e < VERTICES * DEGREE; ++e)
    ends[e] = e * 7 % VERTICES;
  uint64_t results[5] = {read_behind(weights, starts, ends), read_before(weights, starts, ends), read_twice(weights, starts, ends),
                         written_always(weights, starts, ends), sum_read_first(weights, ends)};
  print_digest("results", results, sizeof results);
  return 0;
}
