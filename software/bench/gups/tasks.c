// SPDX-License-Identifier: Apache-2.0
#include "tasks.h"
#include "bench.h"
#include "data.h"
#include "task_switches.h"

// One update under way: its word is read, then written.
struct __attribute__((aligned(64))) update {
  task task;
  uint64_t random, value;
};

static uint64_t next_operation, end_of_operations;

static void got_word(task_word self);

static void begin(task_word self) {
  struct update *update = task_state(self);
  if (next_operation == end_of_operations)
    TASK_END(self);
  update->random = mix64(next_operation++);
  count_switch();
  TASK_LOAD(self, &gups_table[gups_index(update->random)], sizeof(uint64_t), got_word);
}

static void got_word(task_word self) {
  struct update *update = task_state(self);
  update->value = *(const uint64_t *)task_data(self) ^ update->random;
  count_switch();
  TASK_STORE(self, &gups_table[gups_index(update->random)], &update->value, sizeof(uint64_t), begin);
}

void bench_run(uint64_t first, uint64_t count) {
  static struct update updates[BENCH_COROUTINES];
  next_operation = first;
  end_of_operations = first + count;
  run_tasks(updates, sizeof updates[0], begin);
}
