// SPDX-License-Identifier: Apache-2.0
//
// Tasks with copied stacks that take turns, with their stores in local and in far memory: cycles and instructions a turn, natively ns; and how many of the
// stacks came by loads of their tasks.
#include <stdio.h>

#include "adders.h"
#include "clocks.h"
#include "remote.h"

enum { Tasks = 64, StoreBytes = 512, Turns = 8 };

static int64_t measure(char *stores, uint64_t turns, int64_t *instructions) {
  static stack_task made[Tasks];
  for (unsigned k = 0; k < Tasks; ++k) {
    stack_task_make_copied(&made[k], add_on_stack, turns, stores + (size_t)k * StoreBytes, StoreBytes);
    stack_task_spawn(&made[k], 0);
  }
  const clocks began = clocks_now();
  tasks_run(0);
  const clocks ended = clocks_now();
  *instructions = ended.instructions - began.instructions;
  return ended.time - began.time;
}

static void print_row(const char *name, char *stores) {
  int64_t few_instructions, many_instructions;
  measure(stores, 2, &few_instructions);
  const uint64_t fetched = stack_fetched;
  const int64_t few = measure(stores, 2, &few_instructions), many = measure(stores, 2 + Turns, &many_instructions);
  printf("%-18s %6d %6d, %d stacks fetched\n", name, (int)((many - few) / (Tasks * Turns)),
         (int)((many_instructions - few_instructions) / (Tasks * Turns)), (int)(stack_fetched - fetched));
}

int main(void) {
  static _Alignas(64) char local[Tasks * StoreBytes];
  print_row("local memory", local);
  print_row("far memory", (char *)remote_alloc(sizeof local));
  const uint64_t turns_of_both = 2 * (2 * (2 * 1) + 10 * 9);
  if (total != Tasks * turns_of_both / 2)
    printf("a sum is wrong\n");
  return total != Tasks * turns_of_both / 2;
}
