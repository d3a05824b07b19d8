// SPDX-License-Identifier: Apache-2.0
//
// void tasks_poll(task_word): jumps to the step of a task that has what it waited for, with its word as argument; returns if there is none. A step calls it
// as its last act, so a step is called by who called the first poll: tasks_run() of amu.c.
#include "ami_instructions.h"

  .section .text.tasks_poll, "ax", @progbits
  .globl tasks_poll
  .type tasks_poll, @function
tasks_poll:
  bafin a0
  ret
  .size tasks_poll, . - tasks_poll
