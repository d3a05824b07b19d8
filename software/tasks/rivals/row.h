// SPDX-License-Identifier: Apache-2.0
//
// One row of the table of switches: 16 tasks take turns; each adds up the numbers of its turns, so that something lives across a switch.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RowTasks = 16, RowStackBytes = 1024, BoostStackBytes = 4096 };

// Each runs RowTasks tasks of so many turns, and returns the sum of what they added up.
typedef uint64_t row(uint32_t turns);
row state_machine, coroutines, task_steps, task_coroutines, stack_tasks_yield, stack_tasks_call;
// With the part `rust` of the toolchain.
row rust_in_place, rust_boxed, task_futures, boost_context;

// Set by a row: what a suspended task has in memory, with its state.
extern uint64_t row_task_bytes;

#ifdef __cplusplus
}
#endif
