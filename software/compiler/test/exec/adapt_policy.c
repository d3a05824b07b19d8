// SPDX-License-Identifier: Apache-2.0
// The policy of the choice at run time, against loops with known costs on a clock of their own.
// RUN: %clang -O1 -I %compiler/include -I %compiler/lib %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>

static uint64_t now;
#define __builtin_readcyclecounter() now
#include "AdaptPolicy.c"

enum { TURN_CYCLES = 65536, NUM_TASKS = 16 };

struct costs {
  uint64_t plain, tasks; // cycles of an iteration
  uint64_t switches;     // of an iteration
};

static struct loop loop;
static uint64_t iterations_as[3];

// Runs a loop of `count` iterations; \returns its time.
static uint64_t execute(uint64_t count, struct costs costs) {
  uint64_t began = now;
  struct run run;
  __asyncmem_adapt_start(&loop, &run, NUM_TASKS, TURN_CYCLES);
  for (;;) {
    uint64_t some = run.budget < count ? run.budget : count;
    now += some * (run.form == TASKS ? costs.tasks : costs.plain);
    iterations_as[run.form] += some;
    if (run.form == PROBE)
      run.switches += some * costs.switches;
    count -= some;
    if (!count) {
      __asyncmem_adapt_end(&loop, &run, some);
      return now - began;
    }
    __asyncmem_adapt_next(&loop, &run, some);
  }
}

static void start(const char *name) {
  printf("%s:", name);
  loop = (struct loop){0};
  iterations_as[PLAIN] = iterations_as[TASKS] = iterations_as[PROBE] = 0;
}

static void show(uint64_t took, uint64_t best) {
  uint64_t all = iterations_as[PLAIN] + iterations_as[TASKS] + iterations_as[PROBE];
  printf(" %s, %lu %% of all tasks, %lu per mille slower than the better form\n", GET(loop.choice) == TASKS ? "tasks" : "plain",
         (unsigned long)((iterations_as[TASKS] * 100 + all / 2) / all), (unsigned long)((took - best) * 1000 / best));
}

int main(void) {
  // CHECK: tasks win: tasks, {{99|100}} % of all tasks, {{[0-9]}} per mille
  start("tasks win");
  show(execute(10000000, (struct costs){300, 100, 1}), 1000000000);
  // CHECK-NEXT: plain wins: plain, 0 % of all tasks, {{[0-9]}} per mille
  start("plain wins");
  show(execute(10000000, (struct costs){100, 300, 1}), 1000000000);
  // A little better is not enough to leave the plain loop.
  // CHECK-NEXT: nearly equal: plain, {{[01]}} % of all tasks, {{1?[0-9]}} per mille
  start("nearly equal");
  show(execute(10000000, (struct costs){100, 99, 1}), 990000000);
  // CHECK-NEXT: in the cache: plain, 0 % of all tasks, 0 per mille
  start("in the cache");
  show(execute(10000000, (struct costs){20, 100, 3}), 200000000);
  // Iterations far longer than a turn.
  // CHECK-NEXT: long iterations: tasks, {{9[0-9]|100}} % of all tasks
  start("long iterations");
  show(execute(2000, (struct costs){3000000, 1000000, 100}), 2000000000);
  // A million runs of three iterations.
  // CHECK-NEXT: short runs: tasks, {{9[0-9]|100}} % of all tasks, {{1?[0-9]}} per mille
  start("short runs");
  uint64_t took = 0;
  for (int i = 0; i < 1000000; ++i)
    took += execute(3, (struct costs){300, 100, 1});
  show(took, 300000000);
  // The data change in the middle; the second choice comes before as much again has run as before the change.
  // CHECK-NEXT: before: tasks
  // CHECK-NEXT: after: plain, {{[3-6][0-9]}} % of all tasks
  start("before");
  show(execute(10000000, (struct costs){300, 100, 1}), 1000000000);
  printf("after:");
  took = execute(10000000, (struct costs){100, 300, 1});
  show(took, 1000000000);
}
