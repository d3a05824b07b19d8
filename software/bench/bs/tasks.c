// SPDX-License-Identifier: Apache-2.0
#include "tasks.h"
#include "bench.h"
#include "data.h"
#include "task_switches.h"

// One search under way; the word in the middle of [low, high) is on its way.
struct __attribute__((aligned(64))) search {
  task task;
  uint64_t operation, key;
  uint32_t low, high;
};

static uint64_t next_operation, end_of_operations;

static void got_middle(task_word self);

static void begin(task_word self) {
  struct search *search = task_state(self);
  if (next_operation == end_of_operations)
    TASK_END(self);
  search->operation = next_operation++;
  search->key = bs_key(search->operation);
  search->low = 0;
  search->high = BS_WORDS;
  count_switch();
  TASK_LOAD(self, &bs_sorted[BS_WORDS / 2], sizeof(uint64_t), got_middle);
}

static void got_middle(task_word self) {
  struct search *search = task_state(self);
  const uint32_t middle = (search->low + search->high) / 2;
  // Even odds: chosen without a branch.
  const bool above = __builtin_unpredictable(*(const uint64_t *)task_data(self) < search->key);
  search->low = above ? middle + 1 : search->low;
  search->high = above ? search->high : middle;
  if (search->low == search->high) {
    bs_found[search->operation] = search->low;
    TASK_GO(self, begin);
  }
  count_switch();
  TASK_LOAD(self, &bs_sorted[(search->low + search->high) / 2], sizeof(uint64_t), got_middle);
}

void bench_run(uint64_t first, uint64_t count) {
  static struct search searches[BENCH_COROUTINES];
  next_operation = first;
  end_of_operations = first + count;
  run_tasks(searches, sizeof searches[0], begin);
}
