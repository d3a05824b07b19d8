// SPDX-License-Identifier: Apache-2.0
//
// What a task costs: a switch, and creation with first run and end, in cycles and instructions (natively in ns). Of two runs that differ in the number of
// turns the difference is the switches; what is left of the shorter one is creation and end.
#include <stdio.h>

#include "clocks.h"
#include "row.h"

uint64_t row_task_bytes;

enum { FewTurns = TURNS, ManyTurns = 5 * TURNS };

static clocks measure(row *run, uint32_t turns, uint64_t *sum) {
  const clocks began = clocks_now();
  *sum = run(turns);
  const clocks ended = clocks_now();
  return (clocks){ended.time - began.time, ended.instructions - began.instructions};
}

static int print_row(const char *name, row *run, int switches_of_turn) {
  uint64_t few_sum, many_sum;
  measure(run, FewTurns, &few_sum);
  const clocks few = measure(run, FewTurns, &few_sum), many = measure(run, ManyTurns, &many_sum);
  const int64_t switches = (int64_t)RowTasks * (ManyTurns - FewTurns) * switches_of_turn;
  const int64_t time = (many.time - few.time) * 100 / switches,
                instructions = (many.instructions - few.instructions) * 100 / switches;
  const int64_t of_task = (few.time - (many.time - few.time) * FewTurns / (ManyTurns - FewTurns)) / RowTasks;
  printf("%-28s %3d.%02d %3d.%02d %5d %5d %9d\n", name, (int)(time / 100), (int)(time % 100), (int)(instructions / 100),
         (int)(instructions % 100), (int)of_task, (int)row_task_bytes, (int)((1u << 30) / row_task_bytes));
  return few_sum == RowTasks * (uint64_t)FewTurns * (FewTurns - 1) / 2 &&
         many_sum == RowTasks * (uint64_t)ManyTurns * (ManyTurns - 1) / 2;
}

int main(void) {
#ifdef __riscv
  printf("%-28s cycles, instructions a switch; cycles to make, first run and end; bytes of a task; alive in 1 GiB\n",
         "");
#else
  printf("%-28s ns, - a switch; ns to make, first run and end; bytes of a task; alive in 1 GiB\n", "");
#endif
  int right = print_row("state machine (AMAC)", state_machine, 1);
  right &= print_row("C++20 coroutine", coroutines, 1);
  right &= print_row("library: steps", task_steps, 1);
  right &= print_row("library: C++20", task_coroutines, 1);
  right &= print_row("library: stacks, yield", stack_tasks_yield, 1);
#ifdef WITH_RUST
  right &= print_row("Rust future, in place", rust_in_place, 1);
  right &= print_row("Rust future, boxed", rust_boxed, 1);
  right &= print_row("library: Rust", task_futures, 1);
  right &= print_row("Boost.Context, both jumps", boost_context, 1);
#else
  printf("Rust, Boost.Context: python3 tools/setup rust, then make clean here and once more\n");
#endif
  // The last one: those that are called never end, so later runs would find them alive.
  right &= print_row("library: stacks, call+return", stack_tasks_call, 1);
  if (!right)
    printf("a sum is wrong\n");
  return !right;
}
