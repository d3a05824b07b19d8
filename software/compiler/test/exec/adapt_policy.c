// SPDX-License-Identifier: Apache-2.0
// The policy of the choice at run time, against loops with known costs on a clock of their own: once a loop has run 1,000 iterations in all
// its runs it has 95 % of the serial loop's speed, before that never less than 80 %; far data is tasks soon.
// RUN: %clang -O1 -I %compiler/lib %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>

static uint64_t now, retired, lines, reading;
#define __builtin_readcyclecounter() (now += reading)
#include "choice/AdaptPolicy.c"

static int counts_instructions;
uint64_t __asyncmem_adapt_instructions(void) { return counts_instructions ? ++retired : 0; }
uint64_t __asyncmem_adapt_lines(void) { return lines; }
uint64_t __asyncmem_adapt_may_use(void) { return 1; }
void __asyncmem_adapt_use(uint64_t tasks) { (void)tasks; }

enum { TURN_CYCLES = 65536 };

// Where data is: the AMU is not there to say it, or counts so many far and near lines of an iteration.
struct costs {
  uint64_t plain, tasks;           // cycles of an iteration
  uint64_t instructions;           // of a plain one; 0: not counted
  uint64_t far, near;              // lines
  uint64_t alone;                  // least cycles of a chunk as tasks
  uint64_t cold, more;             // first iterations, and what each takes more if it is plain
  uint64_t noise;                  // each so many'th chunk takes ten times as long
  int counts_lines, is_simulated;
};

static struct loop loop;
static uint64_t as_tasks, so_far, chunks;

static uint64_t cycles_of(uint64_t form, uint64_t some, struct costs c) {
  uint64_t cycles = some * (form == PLAIN ? c.plain : c.tasks);
  if (form == TASKS && cycles < c.alone)
    cycles = c.alone;
  if (form == TASKS)
    lines += c.counts_lines ? c.far * some << 32 | c.near * some : 0;
  else if (so_far < c.cold)
    cycles += least(c.cold - so_far, some) * c.more;
  if (form == TASKS)
    as_tasks += some;
  so_far += some;
  retired += c.is_simulated ? cycles : some * c.instructions * (form == PLAIN ? 1 : 4);
  return c.noise && ++chunks % c.noise == 0 ? 10 * cycles : cycles;
}

// A run of `length` iterations; \returns the cycles that it takes.
static uint64_t run_loop(uint64_t length, struct costs c) {
  uint64_t began = now, some;
  struct run run;
  if (loop.held) {
    --loop.held;
    run = (struct run){.form = PLAIN, .budget = loop.chunk};
  } else
    __asyncmem_adapt_start(&loop, &run);
  for (;; __asyncmem_adapt_next(&loop, &run, some)) {
    some = least(run.budget, length);
    now += cycles_of(run.form, some, c);
    length -= some;
    if (!length)
      break;
  }
  if (run.asked)
    __asyncmem_adapt_end(&loop, &run, some);
  return now - began;
}

static uint64_t run_loops(uint64_t iterations, uint64_t length, struct costs c) {
  uint64_t took = 0;
  for (; iterations > length; iterations -= length)
    took += run_loop(length, c);
  return took + run_loop(iterations, c);
}

// Prints the speed over the serial loop's, in per cent, of the first 1,000 iterations and of more, and how many of those were tasks.
static void go_on(uint64_t iterations, uint64_t length, struct costs c) {
  as_tasks = 0;
  uint64_t serial = iterations * c.plain, took = run_loops(iterations, length, c);
  printf(" %lu %%, %lu %% tasks", (unsigned long)(serial * 100 / took), (unsigned long)(as_tasks * 100 / iterations));
}

static void show(const char *name, uint64_t iterations, uint64_t length, struct costs c) {
  loop = (struct loop){.chunk = 1, .tasks = c.counts_lines ? 64 : 16, .turn_cycles = TURN_CYCLES};
  counts_instructions = c.instructions != 0 || c.is_simulated;
  lines = c.counts_lines ? 0 : NO_LINES;
  reading = c.is_simulated ? 1 : 10;
  now = retired + (c.is_simulated ? 0 : 1000000);
  so_far = 0;
  as_tasks = 0;
  uint64_t first = 1000, serial = first * c.plain + least(first, c.cold) * c.more, took = run_loops(first, least(length, first), c);
  printf("%s: %lu %%,", name, (unsigned long)(serial * 100 / took));
  go_on(iterations, length, c);
  printf("\n");
}

int main(void) {
  const uint64_t one = UINT64_MAX, many = 1000000;
  // With an AMU. Data in L1 and L2: at most a short trial as tasks.
  // CHECK: in L1: {{9[5-9]|100}} %, {{9[7-9]|100}} %, 0 % tasks
  show("in L1", many, one, (struct costs){.plain = 8, .tasks = 90, .instructions = 12, .near = 2, .counts_lines = 1});
  // CHECK: in L2: {{8[0-9]|9[0-9]|100}} %, {{9[5-9]|100}} %, {{[0-2]}} % tasks
  show("in L2", many, one, (struct costs){.plain = 60, .tasks = 200, .instructions = 12, .near = 4, .counts_lines = 1});
  // CHECK: in L2, short runs: {{8[0-9]|9[0-9]|100}} %, {{9[5-9]|100}} %, {{[0-2]}} % tasks
  show("in L2, short runs", many, 5, (struct costs){.plain = 60, .tasks = 200, .alone = 600, .instructions = 12, .near = 4, .counts_lines = 1});
  // CHECK: in L2, then far: {{.*}} % tasks
  // CHECK: and far: {{[4-6][0-9][0-9]}} %, {{9[0-9]}} % tasks
  show("in L2, then far", 100000, one, (struct costs){.plain = 60, .tasks = 200, .instructions = 12, .near = 4, .counts_lines = 1});
  printf("and far:");
  go_on(many, one, (struct costs){.plain = 1200, .tasks = 200, .instructions = 12, .far = 4, .counts_lines = 1});
  printf("\n");
  // Far data: tasks soon, and nearly always.
  // CHECK: {{^}}far: {{[4-9][0-9][0-9]|[1-9][0-9][0-9][0-9]}} %, {{[1-9][0-9][0-9][0-9]}} %, {{99|100}} % tasks
  show("far", many, one, (struct costs){.plain = 1000, .tasks = 20, .alone = 1500, .instructions = 12, .far = 2, .counts_lines = 1});
  // CHECK: far at 100 ns: {{[3-9][0-9][0-9]}} %, {{[5-9][0-9][0-9]}} %, {{99|100}} % tasks
  show("far at 100 ns", many, one, (struct costs){.plain = 200, .tasks = 30, .alone = 400, .instructions = 12, .far = 2, .counts_lines = 1});
  // CHECK: far, short runs: {{1[0-9][0-9][0-9]}} %, {{1[0-9][0-9][0-9]}} %, {{9[5-9]|100}} % tasks
  show("far, short runs", many, 40, (struct costs){.plain = 1000, .tasks = 20, .alone = 2500, .instructions = 12, .far = 2, .counts_lines = 1});
  // CHECK: then near: {{9[5-9]|100}} %, {{[0-9]}} % tasks
  printf("then near:");
  go_on(many, 40, (struct costs){.plain = 60, .tasks = 200, .alone = 300, .instructions = 12, .near = 2, .counts_lines = 1});
  printf("\n");
  // Runs too short for tasks to overlap.
  // CHECK: far, shortest runs: {{8[0-9]|9[0-9]|100}} %, {{9[5-9]|100}} %
  show("far, shortest runs", many, 4, (struct costs){.plain = 90, .tasks = 110, .alone = 440, .instructions = 12, .far = 1, .counts_lines = 1});
  // Read in sequence: the prefetcher serves the plain loop.
  // CHECK: sequence: {{9[0-9]|100}} %, {{9[5-9]|100}} %
  show("sequence", many, one, (struct costs){.plain = 387, .tasks = 403, .instructions = 382, .far = 27, .counts_lines = 1});
  // CHECK: sequence, tasks: {{[0-9]+}} %, {{19[0-9]|200}} %, {{9[0-9]|100}} % tasks
  show("sequence, tasks", many, one, (struct costs){.plain = 64, .tasks = 32, .instructions = 50, .far = 10, .counts_lines = 1});
  // An instruction-set simulator: its clock says nothing.
  // CHECK: simulated: {{.*}}, 100 % tasks
  show("simulated", many, 50, (struct costs){.plain = 100, .tasks = 300, .instructions = 100, .is_simulated = 1});

  // Without counters, as on x86-64.
  // CHECK: plain wins: {{8[0-9]|9[0-9]|100}} %, {{9[5-9]|100}} %, {{[0-2]}} % tasks
  show("plain wins", many, one, (struct costs){.plain = 100, .tasks = 300});
  // CHECK: plain wins, short runs: {{8[0-9]|9[0-9]|100}} %, {{9[5-9]|100}} %, {{[0-2]}} % tasks
  show("plain wins, short runs", many, 7, (struct costs){.plain = 10, .tasks = 30, .alone = 90});
  // CHECK: nearly equal: {{[0-9]+}} %, {{9[5-9]|100}} %
  show("nearly equal", many, one, (struct costs){.plain = 100, .tasks = 103});
  // CHECK: tasks win: {{2[0-9][0-9]}} %, {{2[89][0-9]|300}} %, {{9[5-9]|100}} % tasks
  show("tasks win", many, one, (struct costs){.plain = 300, .tasks = 100});
  // CHECK: long iterations: {{2[0-9][0-9]}} %, {{2[0-9][0-9]|300}} %
  show("long iterations", 10000, one, (struct costs){.plain = 3000000, .tasks = 1000000, .alone = 3000000});
  // CHECK: long iterations, plain: {{8[0-9]|9[0-9]|100}} %, {{9[5-9]|100}} %
  show("long iterations, plain", 10000, one, (struct costs){.plain = 470000, .tasks = 1100000});
  // CHECK: cold at first: {{[0-9]+}} %, {{9[5-9]|100}} %, {{[0-4]}} % tasks
  show("cold at first", many, one, (struct costs){.plain = 20, .tasks = 60, .cold = 2000, .more = 600});
  // What else the machine does disturbs single turns.
  // CHECK: disturbed, tasks: {{[0-9]+}} %, {{1[5-9][0-9]|2[0-9][0-9]}} %
  show("disturbed, tasks", 30 * many, one, (struct costs){.plain = 300, .tasks = 100, .noise = 37});
}
