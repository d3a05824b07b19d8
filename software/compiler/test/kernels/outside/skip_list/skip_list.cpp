// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static const node *first_not_below(const skip_list *list, uint64_t key) {
  const node *at = list->head;
  for (int level = list->height.load(std::memory_order_relaxed) - 1;;) {
    const node *next = at->next[level].load(std::memory_order_acquire);
#ifndef FIRST_MARKS
    __builtin_is_remote(at);
    __builtin_is_remote(next);
#endif
    if (next && next->key < key)
      at = next;
    else if (level-- == 0)
      return next;
  }
}

void bench_run(uint64_t first, uint64_t count) {
  const skip_list *list = skip_nodes;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(list);
    const node *found = first_not_below(list, skip_query(i));
    skip_results[i] = found ? found->value : BEHIND_ALL;
  }
}
