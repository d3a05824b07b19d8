// SPDX-License-Identifier: Apache-2.0
//
// One row of the table of switches: 16 tasks take turns; each adds up the numbers of its turns, so that something lives across a switch.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RowTasks = 16 };

// Each runs RowTasks tasks of so many turns, and returns the sum of what they added up.
typedef uint64_t row(uint32_t turns);
row state_machine, coroutines, task_steps, task_coroutines, stack_tasks_yield, stack_tasks_call;

#ifdef __cplusplus
}
#endif
