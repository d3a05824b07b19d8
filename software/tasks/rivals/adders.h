// SPDX-License-Identifier: Apache-2.0
//
// What tasks do that are measured: each adds up the numbers of its turns, and its sum to `total` at its end. As steps, on a stack, and in C++ as a coroutine.
#ifndef RIVALS_ADDERS_H
#define RIVALS_ADDERS_H

#include <stdint.h>

#include "stack_tasks.h"

static uint64_t total;

struct adder {
  task header;
  uint64_t turn, turns, sum;
};

static inline void add(task_word self) {
  struct adder *adds = (struct adder *)task_state(self);
  if (adds->turn == adds->turns) {
    total += adds->sum;
    TASK_END(self);
  }
  adds->sum += adds->turn++;
  TASK_YIELD(self, add);
}

static inline uint64_t add_on_stack(uint64_t turns) {
  uint64_t sum = 0;
  for (uint64_t turn = 0; turn < turns; ++turn) {
    sum += turn;
    stack_yield();
  }
  total += sum;
  return 0;
}

#ifdef __cplusplus
#include "tasks.hpp"

static inline tasks::Task add_as_task(uint32_t turns) {
  uint64_t sum = 0;
  for (uint32_t turn = 0; turn < turns; ++turn) {
    sum += turn;
    co_await tasks::yield();
  }
  total += sum;
}
#endif

#endif
