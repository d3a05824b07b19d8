// SPDX-License-Identifier: Apache-2.0
// The policy of NH-G against loops that run often, for few iterations each, on a clock of its own.
// RUN: %clang -O1 -I %compiler/lib %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>

static uint64_t now, retired, lines;
#define ADAPT_FORMS 0
#define __builtin_readcyclecounter() (now += 20)
#include "choice/AdaptPolicy.c"

uint64_t __asyncmem_adapt_instructions(void) { return retired += 3; }
uint64_t __asyncmem_adapt_lines(void) { return lines; }

// Cycles: of an iteration, of a task alone; more of a plain one until so many have filled the caches.
struct costs {
  uint64_t plain, tasks, alone, cold, more_cold;
};
enum { TURN_CYCLES = 65536 };
static uint64_t runs = 1200;
// Where tasks find it: NEAR once all of it is in the caches, PARTLY as far as it is, one of eight lines always, or seven. What they ask for again
// of the second is fetched.
enum data { NOT_COUNTED, FAR, NEAR, PARTLY, EIGHTH, MOSTLY };

// A run that the loop begins itself, as the record says it may (ApartLoop.h).
static int held(struct loop *loop, uint64_t length) {
  if (length > loop->plain_left)
    return 0;
  loop->plain_left -= length;
  return 1;
}

static int has_guard;

static uint64_t one_of(uint64_t number) {
  static uint64_t state;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % number;
}

static void show(const char *name, uint64_t length, uint64_t num_task, enum data data, struct costs each) {
  static struct loop loop;
  loop = (struct loop){.traits = has_guard ? ADAPT_TAKES_ITERATIONS : 0};
  uint64_t tasks = 0, filled = 0, seen = 0, asked = 0, plain_cycles = 0, began = now;
  lines = data == NOT_COUNTED ? NO_LINES : 0;
  for (uint64_t i = 0; i < runs; ++i) {
    struct run run;
    uint64_t left = length, last;
    if (has_guard && held(&loop, length)) {
      now += length * each.plain;
      retired += 10 * length;
      filled = least(filled + length, each.cold);
      continue;
    }
    ++asked;
    __asyncmem_adapt_start(&loop, &run, num_task, TURN_CYCLES);
    for (;;) {
      uint64_t some = run.budget < left ? run.budget : left, cycles;
      if (run.form == PLAIN) {
        uint64_t cold = filled + some < each.cold ? some : each.cold - filled;
        filled += cold;
        cycles = some * each.plain + cold * each.more_cold;
        retired += 10 * some;
        plain_cycles += cycles;
      } else {
        cycles = some * each.tasks < each.alone ? each.alone : some * each.tasks;
        tasks += some;
        retired += 40 * some;
        if (data != NOT_COUNTED) {
          uint64_t all = data >= EIGHTH ? 8 * some : some;
          uint64_t near = data == NEAR     ? some * (filled == each.cold)
                          : data == EIGHTH ? some
                          : data == MOSTLY ? 7 * some
                                           : 0;
          for (uint64_t k = 0; data == PARTLY && k < some; ++k)
            if (one_of(each.cold) < filled)
              ++near;
            else if (one_of(each.cold) < seen)
              ++filled;
            else
              ++seen;
          lines += (all - near) << 32 | near;
        }
      }
      now += cycles;
      left -= some, last = some;
      if (!left)
        break;
      __asyncmem_adapt_next(&loop, &run, some);
    }
    __asyncmem_adapt_end(&loop, &run, last);
  }
  printf("%s: %lu %% tasks", name, (unsigned long)(tasks * 100 / (runs * length)));
  if (has_guard)
    printf(", %lu %% asked", (unsigned long)(asked * 100 / runs));
  if (data >= PARTLY)
    printf(", %lu %% of the time plain", (unsigned long)(plain_cycles * 100 / (now - began)));
  printf("\n");
}

int main(void) {
  // A few iterations, which the core overlaps as well: nothing is left for tasks.
  // CHECK: four, far: {{[0-5]}} % tasks
  show("four, far", 4, 64, FAR, (struct costs){.plain = 90, .tasks = 110, .alone = 440});
  // CHECK: four, without AMU: {{[0-9]}} % tasks
  show("four, without AMU", 4, 12, NOT_COUNTED, (struct costs){.plain = 90, .tasks = 110, .alone = 440});
  // CHECK: sixteen, far: {{9[0-9]}} % tasks
  show("sixteen, far", 16, 64, FAR, (struct costs){.plain = 90, .tasks = 30, .alone = 400});
  // CHECK: sixteen, without AMU: {{9[0-9]}} % tasks
  show("sixteen, without AMU", 16, 12, NOT_COUNTED, (struct costs){.plain = 90, .tasks = 60, .alone = 400});
  // Data that fits into a cache, and is not there at first.
  // CHECK: eight, cold: {{[0-9]}} % tasks
  show("eight, cold", 8, 64, NEAR, (struct costs){.plain = 5, .tasks = 18, .cold = 200, .more_cold = 300});
  // CHECK: eight, cold, without AMU: {{1?[0-9]}} % tasks
  show("eight, cold, without AMU", 8, 12, NOT_COUNTED, (struct costs){.plain = 5, .tasks = 18, .cold = 200, .more_cold = 40});
  // 256 words in 64 lines, which come near as tasks ask for them again: the plain loop is tried.
  // CHECK: back to 64 lines: {{[0-9]}} % tasks
  show("back to 64 lines", 256, 64, PARTLY, (struct costs){.plain = 4, .tasks = 7, .alone = 300, .cold = 64, .more_cold = 60});
  runs = 1;
  // CHECK: and 512, in one run: {{[1-4]?[0-9]}} % tasks
  show("and 512, in one run", 100000, 64, PARTLY, (struct costs){.plain = 6, .tasks = 17, .alone = 300, .cold = 512, .more_cold = 80});
  // More than can be there in time, and what trying them costs.
  // CHECK: more lines than it reads: {{9[5-9]|100}} % tasks, {{[0-5]}} % of the time plain
  show("more lines than it reads", 100000, 64, PARTLY, (struct costs){.plain = 6, .tasks = 17, .alone = 300, .cold = 65536, .more_cold = 80});
  // CHECK: never back: {{99|100}} % tasks
  show("never back", 100000, 64, FAR, (struct costs){.plain = 100, .tasks = 7, .alone = 300});
  // The share of lines that are found does not grow: those are used more often than others.
  // CHECK: some used often: {{9[5-9]|100}} % tasks, {{[0-3]}} % of the time plain
  show("some used often", 200000, 64, EIGHTH, (struct costs){.plain = 100, .tasks = 7, .alone = 300});
  // Found again all the time, and still better as tasks.
  // CHECK: most lines there: {{9[5-9]|100}} % tasks, {{[0-9]}} % of the time plain
  show("most lines there", 200000, 64, MOSTLY, (struct costs){.plain = 30, .tasks = 7, .alone = 300});
  // Some iterations of a list are long, and as long as 16 of them: fewer show nothing. Plain is kept for as long as this program takes.
  // CHECK: long lists: 9{{[0-9]}} % tasks
  show("long lists", 1200, 64, MOSTLY, (struct costs){.plain = 14000, .tasks = 1000, .alone = 100000});
  runs = 1200;
  // While plain runs are measured, most of them begin without a question, and longer ones do not.
  has_guard = 1;
  // CHECK: eight: {{[0-9]}} % tasks, {{[0-5]}} % asked
  show("eight", 8, 64, NEAR, (struct costs){.plain = 5, .tasks = 18});
  // The plain loop, kept after a trial that met cold caches, is compared again: few runs as tasks will do where all lines are near.
  runs = 9000;
  // CHECK: again: 0 % tasks, {{[01]}} % asked
  show("again", 32, 64, NEAR, (struct costs){.plain = 3, .tasks = 14, .alone = 400, .cold = 64, .more_cold = 200});
  runs = 1200;
  // CHECK: four, far: {{[0-9]}} % tasks, {{[1-3]?[0-9]}} % asked
  show("four, far", 4, 64, FAR, (struct costs){.plain = 90, .tasks = 110, .alone = 440});
  // CHECK: sixteen, far: {{9[0-9]}} % tasks, {{9[0-9]|100}} % asked
  show("sixteen, far", 16, 64, FAR, (struct costs){.plain = 90, .tasks = 30, .alone = 400});
  // Behind the first choice, where turns have cycles to last, too.
  runs = 40000;
  // CHECK: sixteen, many: {{[0-3]}} % tasks, {{[0-2]}} % asked
  show("sixteen, many", 16, 64, NEAR, (struct costs){.plain = 5, .tasks = 18});
}
