// SPDX-License-Identifier: Apache-2.0
//
// The library: tasks of steps, C++20 tasks, tasks with stacks that yield and that are called.
#include "adders.h"
#include "row.h"

namespace {

uint64_t count(uint64_t first) {
  for (uint64_t turn = first;; ++turn)
    stack_return(turn);
}

stack_task counters[RowTasks];

uint64_t call_counters(uint64_t turns) {
  for (uint64_t turn = 0; turn < turns; ++turn)
    for (stack_task &counter : counters)
      total += stack_call(&counter, 0);
  return 0;
}

alignas(16) char stacks[RowTasks + 1][RowStackBytes];

} // namespace

uint64_t task_steps(uint32_t turns) {
  static adder adders[RowTasks];
  row_task_bytes = sizeof(adder);
  total = 0;
  for (adder &one : adders) {
    one.turn = one.sum = 0;
    one.turns = turns;
    task_spawn(&one.header, add, 0);
  }
  tasks_run(0);
  return total;
}

uint64_t task_coroutines(uint32_t turns) {
  tasks::Task made[RowTasks];
  total = 0;
  for (tasks::Task &one : made)
    (one = add_as_task(turns)).spawn();
  tasks_run(0);
  return total;
}

uint64_t stack_tasks_yield(uint32_t turns) {
  static stack_task made[RowTasks];
  row_task_bytes = sizeof(stack_task) + RowStackBytes;
  total = 0;
  for (unsigned k = 0; k < RowTasks; ++k) {
    stack_task_make(&made[k], add_on_stack, turns, stacks[k], sizeof stacks[k]);
    stack_task_spawn(&made[k], 0);
  }
  tasks_run(0);
  return total;
}

uint64_t stack_tasks_call(uint32_t turns) {
  static stack_task caller;
  row_task_bytes = sizeof(stack_task) + RowStackBytes;
  total = 0;
  for (unsigned k = 0; k < RowTasks; ++k)
    stack_task_make(&counters[k], count, 0, stacks[k], sizeof stacks[k]);
  stack_task_make(&caller, call_counters, turns, stacks[RowTasks], sizeof stacks[RowTasks]);
  stack_task_spawn(&caller, 0);
  tasks_run(0);
  return total;
}
