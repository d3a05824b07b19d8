// SPDX-License-Identifier: Apache-2.0
//
// Tasks without an AMU: a ring of those that can run or whose line is under way.
#include "alive.h"
#include "task_registers.h"
#include "queue.h"

task_queue tasks_in_turn;

void tasks_ready(task *which, task_step *next) {
  which->then.step = next;
  queue_push(&tasks_in_turn, which);
}

void tasks_poll(task_word self) {
  (void)self;
  task *which = queue_pop(&tasks_in_turn);
  if (which != NULL)
    TASK_GO((uint64_t)(uintptr_t)which, which->then.step);
}

void tasks_yield(task_word self) {
  queue_push(&tasks_in_turn, task_current(self));
  TASK_GO(self, tasks_poll);
}

uint64_t tasks_run(unsigned waiting) {
  (void)waiting;
  tasks_begin_chain();
  return tasks_alive;
}
