// SPDX-License-Identifier: Apache-2.0
//
// A task keeps more of its stack while it waits than its store takes: the program ends with a message.
#include <string.h>

#include "stack_tasks.h"

static uint64_t keep_much(uint64_t first) {
  volatile char much[1024];
  much[first] = 1;
  stack_yield();
  return (uint64_t)much[first];
}

int main(void) {
  static stack_task one;
  static _Alignas(16) char store[512];
  stack_task_make_copied(&one, keep_much, 0, store, sizeof store);
  stack_task_spawn(&one, 0);
  return (int)tasks_run(0);
}
