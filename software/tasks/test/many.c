// SPDX-License-Identifier: Apache-2.0
//
// More tasks than IDs: all load, all are parked at once, all are woken and load again.
#include <stdlib.h>

#include "check.h"
#include "remote.h"
#include "tasks.h"

_Static_assert(sizeof(task) <= 48, "bytes of a task beside its state");

enum { Tasks = TASKS, Words = 4096 };

typedef struct {
  task task;
  uint64_t sum;
} loader;

static uint64_t *words, parked, most_parked;
static loader *loaders;
static task bell;

static const uint64_t *word_of(const loader *loads, uint64_t round) {
  return &words[scattered(2 * (uint64_t)(loads - loaders) + round) % Words];
}

static void add_second(task_word self) {
  loader *loads = task_state(self);
  loads->sum += *(const uint64_t *)task_data(self);
  TASK_END(self);
}

static void load_second(task_word self) {
  --parked;
  TASK_LOAD(self, word_of(task_state(self), 1), 8, add_second);
}

static void add_first(task_word self) {
  loader *loads = task_state(self);
  loads->sum = *(const uint64_t *)task_data(self);
  if (++parked == Tasks)
    task_wake_up(&bell);
  TASK_WAIT(self, load_second);
}

static void load_first(task_word self) { TASK_LOAD(self, word_of(task_state(self), 0), 8, add_first); }

static void wake_all(task_word self) {
  most_parked = parked;
  for (uint64_t k = 0; k < Tasks; ++k)
    task_wake_up(&loaders[k].task);
  TASK_END(self);
}

static void wait_for_all(task_word self) { TASK_WAIT(self, wake_all); }

int main(void) {
  words = (uint64_t *)remote_alloc(Words * sizeof words[0]);
  for (uint64_t i = 0; i < Words; ++i)
    words[i] = scattered(i);
  loaders = (loader *)malloc(Tasks * sizeof loaders[0]);
  CHECK(loaders != NULL);
  task_spawn(&bell, wait_for_all, 0);
  for (uint64_t k = 0; k < Tasks; ++k)
    task_spawn(&loaders[k].task, load_first, (unsigned)k & 3);
  CHECK(tasks_run(WAITING) == 0);
  CHECK(most_parked == Tasks);
  for (uint64_t k = 0; k < Tasks; ++k)
    CHECK(loaders[k].sum == *word_of(&loaders[k], 0) + *word_of(&loaders[k], 1));
  puts("all were alive at once");
}
