// SPDX-License-Identifier: Apache-2.0
#include "tasks.h"
#include "bench.h"
#include "data.h"
#include "task_switches.h"

// One list under way; the index of the next cell is on its way.
// In one line of L1D.
struct __attribute__((aligned(64))) walk {
  task task;
  task_prepared load;
  uint64_t operation, sum;
};

static uint64_t next_operation, end_of_operations;

static void got_next(task_word self);

static void begin(task_word self) {
  struct walk *walk = task_state(self);
  if (next_operation == end_of_operations)
    TASK_END(self);
  walk->operation = next_operation++;
  walk->sum = list_head(walk->operation);
  count_switch();
  TASK_LOAD_PREPARED(self, walk->load, walk->sum * sizeof(struct cell));
}

static void got_next(task_word self) {
  struct walk *walk = task_state(self);
  const uint64_t index = *(const uint64_t *)task_data(self);
  if ((int64_t)index < 0) { // LIST_END, without a constant
    list_sums[walk->operation] = walk->sum;
    TASK_GO(self, begin);
  }
  walk->sum += index;
  count_switch();
  TASK_LOAD_PREPARED(self, walk->load, index * sizeof(struct cell));
}

void bench_run(uint64_t first, uint64_t count) {
  static struct walk walks[BENCH_COROUTINES];
  next_operation = first;
  end_of_operations = first + count;
  for (unsigned k = 0; k < BENCH_COROUTINES; ++k)
    walks[k].load = task_prepare(&list_cells->next, sizeof(uint64_t), got_next);
  run_tasks(walks, sizeof walks[0], begin);
}
