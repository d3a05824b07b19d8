// SPDX-License-Identifier: Apache-2.0
//
// A first step behind the reach of resume targets: the program ends with a message.
#include "tasks.h"

__asm__(".section .text.behind_zeros, \"ax\"\n.zero 0x200000\n.text");

__attribute__((section(".text.behind_zeros"))) static void step(task_word self) { TASK_END(self); }

int main(void) {
  static task one;
  task_spawn(&one, step, 0);
  return (int)tasks_run(0);
}
