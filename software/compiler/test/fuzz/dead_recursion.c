// SPDX-License-Identifier: Apache-2.0
// RUN: %fuzz_check %s --out %t
// Reduced from seed 9: the result of a recursive callee that became part of the task is not needed, so its loads were
// removed behind the compiler's back after it had planned to wait for them.
#include "harness.h"
uint64_t reduced(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8;
  struct node *nodes = e->nodes;
  uint64_t sink = 1;
  #pragma asyncmem num_task(1)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    __builtin_is_remote(nodes);
    uint64_t v = r8[i * 7 + 1 & 1023];
    sink += v + ((v & fuzz_list_sum(&nodes[1])) | v);
  }
  return sink;
}
const struct entry fuzz_entries[] = {
    {"reduced", reduced, {3, 3, 0}}};
const unsigned fuzz_entry_count = 1;
