// SPDX-License-Identifier: Apache-2.0
// The policy of the choice at run time, against loops with known costs on a clock of their own.
// RUN: %clang -O1 -I %compiler/lib %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>

static uint64_t now, retired;
static uint64_t lines = UINT64_MAX; // no AMU
#define __builtin_readcyclecounter() (++now)
#include "choice/AdaptPolicy.c"

static int counts_instructions;
uint64_t __asyncmem_adapt_instructions(void) { return retired += counts_instructions; }
uint64_t __asyncmem_adapt_lines(void) { return lines; }

enum { TURN_CYCLES = 65536, NUM_TASKS = 16, CACHE_LINES = 4096 };

struct costs {
  uint64_t plain, tasks; // cycles of an iteration
  uint64_t miss;         // more cycles of a plain iteration that misses the cache
  int counts_instructions; // the clock does
  int quick_readings;      // takes a cycle for each reading, which is an instruction
  uint64_t instructions;        // of an iteration
  uint64_t lines, lines_cached; // that the AMU counts in an iteration
  uint64_t cold, more_cold;     // first plain iterations of the loop, and the cycles each takes more
  uint64_t after;               // cycles that tasks take when their run has ended
  uint64_t alone;               // cycles of an iteration as the only task, if those of several overlap
};

static struct costs costs(uint64_t plain, uint64_t tasks) { return (struct costs){.plain = plain, .tasks = tasks, .instructions = 10}; }


static struct costs with_amu(uint64_t plain, uint64_t tasks, uint64_t instructions, uint64_t lines, uint64_t lines_cached) {
  return (struct costs){.plain = plain, .tasks = tasks, .instructions = instructions, .lines = lines, .lines_cached = lines_cached};
}

static struct loop loop;
// Plain, then every form as tasks.
static uint64_t iterations_as[1 + ADAPT_MOST_FORMS];
// Cycles of an iteration in the forms as tasks but the first.
static uint64_t other_forms[ADAPT_MOST_FORMS - 1];
// Iterations touch random lines: plain ones fill the cache, tasks take the lines from it.
static double cached;

static uint64_t cycles_of(uint64_t iterations, uint64_t form, struct costs each) {
  uint64_t cycles = iterations * (form == PLAIN ? each.plain : form == TASKS ? each.tasks : other_forms[form - TASKS - 1]);
  if (form != PLAIN && cycles < each.alone)
    cycles = each.alone;
  double more = 0;
  if (form == PLAIN && iterations_as[PLAIN] < each.cold) {
    uint64_t left = each.cold - iterations_as[PLAIN];
    cycles += (left < iterations ? left : iterations) * each.more_cold;
  }
  for (uint64_t i = 0; each.miss && i < iterations; ++i)
    if (form != PLAIN)
      cached -= cached / CACHE_LINES;
    else {
      double missed = 1 - cached / CACHE_LINES;
      more += missed * each.miss;
      cached += missed;
    }
  if (form == TASKS)
    lines += iterations * (each.lines - each.lines_cached) << 32 | iterations * each.lines_cached;
  return cycles + (uint64_t)more;
}

// Runs a loop of `count` iterations; \returns its time.
static uint64_t execute(uint64_t count, struct costs each) {
  uint64_t began = now;
  counts_instructions = each.counts_instructions || each.quick_readings;
  struct run run;
  __asyncmem_adapt_start(&loop, &run, NUM_TASKS, TURN_CYCLES);
  for (;;) {
    uint64_t some = run.budget < count ? run.budget : count;
    uint64_t cycles = cycles_of(some, run.form, each);
    now += cycles;
    retired += each.counts_instructions ? cycles : some * each.instructions;
    iterations_as[run.form] += some;
    count -= some;
    if (!count) {
      __asyncmem_adapt_end(&loop, &run, some);
      now += run.form == PLAIN ? 0 : each.after;
      return now - began;
    }
    __asyncmem_adapt_next(&loop, &run, some);
  }
}

static void start_loop(const char *name, int with_lines) {
  printf("%s:", name);
  loop = (struct loop){0};
  for (int form = 0; form <= ADAPT_MOST_FORMS; ++form)
    iterations_as[form] = 0;
  cached = 0;
  lines = with_lines ? 0 : UINT64_MAX;
}

static void start(const char *name) { start_loop(name, 0); }

static void show(uint64_t took, uint64_t best) {
  uint64_t tasks = 0;
  for (int form = TASKS; form <= ADAPT_MOST_FORMS; ++form)
    tasks += iterations_as[form];
  uint64_t all = iterations_as[PLAIN] + tasks;
  printf(" %s, %lu %% of all tasks, %ld per mille slower than the better form\n", GET(loop.choice) == TASKS ? "tasks" : "plain",
         (unsigned long)((tasks * 100 + all / 2) / all), ((long)took - (long)best) * 1000 / (long)best);
}

int main(void) {
  // CHECK: tasks win: tasks, {{99|100}} % of all tasks, {{[0-9]}} per mille
  start("tasks win");
  show(execute(10000000, costs(300, 100)), 1000000000);
  // CHECK-NEXT: by far: tasks, 100 % of all tasks, {{1?[0-9]}} per mille
  start("by far");
  show(execute(10000000, costs(6000, 100)), 1000000000);
  // CHECK-NEXT: plain wins: plain, 0 % of all tasks, {{[0-9]}} per mille
  start("plain wins");
  show(execute(10000000, costs(100, 300)), 1000000000);
  // CHECK-NEXT: plain wins by a quarter: plain, {{[01]}} % of all tasks, {{[0-9]}} per mille
  start("plain wins by a quarter");
  show(execute(10000000, costs(100, 125)), 1000000000);
  // A little better is not enough to leave the plain loop.
  // CHECK-NEXT: nearly equal: plain, {{[0-3]}} % of all tasks, {{1?[0-9]}} per mille
  start("nearly equal");
  show(execute(10000000, costs(100, 99)), 990000000);
  // A loop of little work runs as tasks throughout, whatever they cost.
  // CHECK-NEXT: little work: plain, 100 % of all tasks
  start("little work");
  show(execute(1000, costs(100, 300)), 100000);
  // The plain loop must fill the cache before it is the better one; from slow memory that takes several attempts.
  // CHECK-NEXT: cache to fill: plain, {{[01]}} % of all tasks, {{[1-3]?[0-9]}} per mille
  start("cache to fill");
  show(execute(30000000, (struct costs){.plain = 20, .tasks = 60, .miss = 600, .instructions = 10}), 600000000);
  // CHECK-NEXT: slow memory: plain, {{[1-4][0-9]}} % of all tasks
  start("slow memory");
  show(execute(30000000, (struct costs){.plain = 20, .tasks = 60, .miss = 2400, .instructions = 10}), 600000000);
  // A clock that counts instructions, from the first one on; one that only seems to between two readings.
  // CHECK-NEXT: no time: tasks, 100 % of all tasks, 2000 per mille
  start("no time");
  now = retired;
  show(execute(10000000, (struct costs){.plain = 100, .tasks = 300, .counts_instructions = 1, .instructions = 10}), 1000000000);
  // CHECK-NEXT: quick readings: plain, 0 % of all tasks, {{[0-9]}} per mille
  start("quick readings");
  now += 1000;
  show(execute(10000000, (struct costs){.plain = 100, .tasks = 300, .quick_readings = 1, .instructions = 10}), 1000000000);
  // Iterations far longer than a turn.
  // CHECK-NEXT: long iterations: tasks, {{9[0-9]|100}} % of all tasks
  start("long iterations");
  show(execute(2000, costs(3000000, 1000000)), 2000000000);
  // A million runs of three iterations.
  // CHECK-NEXT: short runs: tasks, {{9[0-9]|100}} % of all tasks, {{1?[0-9]}} per mille
  start("short runs");
  uint64_t took = 0;
  for (int i = 0; i < 1000000; ++i)
    took += execute(3, costs(300, 100));
  show(took, 300000000);
  // The data change in the middle; the second choice comes before as much again has run as before the change.
  // CHECK-NEXT: before: tasks
  // CHECK-NEXT: after: plain, {{[5-8][0-9]}} % of all tasks
  start("before");
  show(execute(10000000, costs(300, 100)), 1000000000);
  printf("after:");
  took = execute(10000000, costs(100, 300));
  show(took, 1000000000);

  // With an AMU loops of little work have a choice, too. Far data: four plain iterations.
  // CHECK-NEXT: far: plain, 100 % of all tasks, {{[12]?[0-9]}} per mille
  start_loop("far", 1);
  show(execute(5000, with_amu(600, 20, 10, 2, 0)), 100000);
  // CHECK-NEXT: far, few requests: plain, {{99|100}} % of all tasks, {{1?[0-9]}} per mille
  start_loop("far, few requests", 1);
  show(execute(1000, with_amu(3000, 350, 165, 21, 3)), 350000);
  // Data in the caches: never tasks, or some iterations where the plain loop waits for each line.
  // CHECK-NEXT: in L1: plain, 0 % of all tasks, 0 per mille
  start_loop("in L1", 1);
  show(execute(5000, with_amu(8, 90, 12, 2, 2)), 40000);
  // The loop's own code is in no cache in its first iterations: that is no wait for data.
  // CHECK-NEXT: in L1, cold code: plain, 0 % of all tasks
  start_loop("in L1, cold code", 1);
  struct costs cold_code = with_amu(8, 30, 12, 2, 2);
  cold_code.cold = 2;
  cold_code.more_cold = 600;
  show(execute(5000, cold_code), 40000);
  // CHECK-NEXT: in L2: plain, 0 % of all tasks, {{[0-9]}} per mille
  start_loop("in L2", 1);
  show(execute(5000, with_amu(60, 200, 12, 4, 4)), 300000);
  // Far data read in sequence: the prefetcher serves the plain loop, and time decides.
  // CHECK-NEXT: sequence, plain: plain, {{[0-5]}} % of all tasks, {{[0-3]}} per mille
  start_loop("sequence, plain", 1);
  show(execute(1152, with_amu(387, 403, 382, 27, 0)), 445824);
  // It is slow until the caches hold the rows around it: lbm at 100 ns.
  // CHECK-NEXT: sequence, cold at first: plain, 0 % of all tasks, {{[0-4]?[0-9]}} per mille
  start_loop("sequence, cold at first", 1);
  struct costs rows = with_amu(387, 403, 382, 27, 0);
  rows.cold = 64;
  rows.more_cold = 300;
  show(execute(1152, rows), 445824);
  // The price: tasks begin 65,536 cycles later where the plain loop does not wait and they win, at once where it waits.
  // CHECK-NEXT: sequence, tasks: plain, 9{{[5-9]}} % of all tasks, {{[1-6]?[0-9]}} per mille
  start_loop("sequence, tasks", 1);
  show(execute(50000, with_amu(32, 13, 28, 10, 0)), 650000);
  // CHECK-NEXT: sequence, waits: plain, 100 % of all tasks, {{[0-9]}} per mille
  start_loop("sequence, waits", 1);
  show(execute(50000, with_amu(32, 13, 14, 10, 0)), 650000);
  // Short runs of far data: eight plain iterations (the last four are the first piece of 1,024 cycles) and four as tasks tell, and none is lost to a
  // longer chunk.
  // CHECK-NEXT: far, short run: plain, 50 % of all tasks
  start_loop("far, short run", 1);
  show(execute(16, with_amu(300, 30, 25, 3, 0)), 480);
  // CHECK-NEXT: the trial is over
  puts(GET(loop.turn) == TRY_TASKS ? "the trial is over" : "the trial goes on");
  // Of several forms as tasks the fastest one is found, and found again when the data change.
  // CHECK-NEXT: third form: tasks, {{99|100}} % of all tasks, {{[0-9]}} per mille
  // CHECK-NEXT: 9{{[0-9]}} % of them in the third
  start("third form");
  loop.more_forms = 2;
  other_forms[0] = 250;
  other_forms[1] = 100;
  show(execute(20000000, costs(300, 200)), 2000000000);
  printf("%lu %% of them in the third\n", (unsigned long)(iterations_as[TASKS + 2] / 200000));
  // CHECK-NEXT: second form: tasks, {{99|100}} % of all tasks
  // CHECK-NEXT: {{[5-8][0-9]}} % of them in the second
  printf("second form:");
  other_forms[0] = 50;
  uint64_t before = iterations_as[TASKS + 1];
  show(execute(20000000, costs(300, 200)), 1000000000);
  printf("%lu %% of them in the second\n", (unsigned long)((iterations_as[TASKS + 1] - before) / 200000));
  // CHECK-NEXT: no form is better: plain, {{[01]}} % of all tasks, {{[0-9]}} per mille
  start("no form is better");
  loop.more_forms = 1;
  other_forms[0] = 150;
  show(execute(10000000, costs(100, 200)), 1000000000);
  // A loop of few long iterations, as many as are 64 for each of four tasks: it is not over before it is compared.
  // CHECK-NEXT: few long iterations: plain, 2 % of all tasks, {{[12]?[0-9]}} per mille
  start("few long iterations");
  loop.more_forms = 3;
  other_forms[0] = other_forms[1] = other_forms[2] = 1100000;
  show(execute(64, costs(470000, 1100000)), 64 * 470000);
  // CHECK-NEXT: a little slower: plain, 8 % of all tasks, {{1?[0-9]}} per mille
  start("a little slower");
  loop.more_forms = 3;
  show(execute(64, costs(470000, 550000)), 64 * 470000);
  // Where they wait, one task shows nothing, four do.
  // CHECK-NEXT: few long iterations wait: tasks, {{8[0-9]|9[0-2]}} % of all tasks
  start("few long iterations wait");
  struct costs waiting = costs(470000, 50000);
  waiting.alone = 490000;
  show(execute(64, waiting), 64 * 50000);
  // Other forms may be far slower, as is's third loop that switches at each key: they are not tried in so short a loop.
  // CHECK-NEXT: few long iterations, slow forms: plain, {{[4-9][0-9]}} % of all tasks, {{-?[0-9]?[0-9]}} per mille
  start("few long iterations, slow forms");
  loop.more_forms = 3;
  other_forms[0] = 1600000;
  other_forms[1] = 3000000;
  other_forms[2] = 440000;
  show(execute(64, costs(470000, 440000)), 64 * 470000);
  // And later for a turn each.
  // CHECK-NEXT: slow forms: tasks, {{9[0-9]|100}} % of all tasks, {{[1-3]?[0-9]}} per mille
  start("slow forms");
  loop.more_forms = 3;
  show(execute(20000, costs(470000, 440000)), 20000L * 440000);
  // The first iteration is slow, as no code or page is there yet: iterations are not long.
  // CHECK-NEXT: slow at first: tasks, {{99|100}} % of all tasks
  start("slow at first");
  struct costs slow = costs(300, 100);
  slow.cold = 1;
  slow.more_cold = 100000;
  show(execute(1000000, slow), 100000000);
  // Trying forms that lose takes as long as hundreds of turns here, and the choice lasts accordingly longer.
  // CHECK-NEXT: forms lose: plain, {{[0-2]}} % of all tasks, {{[1-3]?[0-9]}} per mille
  start("forms lose");
  loop.more_forms = 3;
  other_forms[0] = other_forms[1] = other_forms[2] = 60000;
  show(execute(200000, costs(20000, 60000)), 200000L * 20000);
  // Tasks of short runs seem to be a little faster, as their last requests end behind the run.
  // CHECK-NEXT: short runs, a little: plain, {{[0-2]}} % of all tasks, {{1?[0-9]}} per mille
  start("short runs, a little");
  struct costs unfinished = costs(25, 24);
  unfinished.after = 384;
  took = 0;
  for (int i = 0; i < 400000; ++i)
    took += execute(128, unfinished);
  show(took, 400000L * 128 * 25);
}
