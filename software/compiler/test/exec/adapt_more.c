// SPDX-License-Identifier: Apache-2.0
// The policy of NH-G against loops that update exclusively and get more iterations while their tasks run, on a clock of its own.
// RUN: %clang -O1 -I %compiler/lib %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>

static uint64_t now, retired, lines;
#define ADAPT_FORMS 0
#define __builtin_readcyclecounter() (now += 20)
#include "choice/AdaptPolicy.c"

uint64_t __asyncmem_adapt_instructions(void) { return retired += 3; }
uint64_t __asyncmem_adapt_lines(void) { return lines; }

enum { TURN_CYCLES = 65536, NUM_TASKS = 64 };

// Words are near once tasks or plain iterations have met them twice. A task of a loop waits for the latency when all have to end.
struct data {
  uint64_t words, latency_cycles, plain, tasks;
};

static uint64_t met, times_waited, asked, as_tasks;

static void work(const struct run *run, uint64_t iterations, struct data data) {
  for (uint64_t i = 0; i < iterations; ++i) {
    int far = met++ < 2 * data.words;
    now += run->form == PLAIN ? data.plain + (far ? data.latency_cycles : 0) : data.tasks;
    retired += 10;
    if (run->form == TASKS)
      lines += far ? UINT64_C(1) << 32 : 1;
  }
  if (run->form == TASKS)
    as_tasks += iterations;
}

static void show(const char *name, int exclusive, uint64_t iterations, struct data data) {
  static struct loop loop;
  loop = (struct loop){0};
  loop.traits = exclusive ? ADAPT_IS_EXCLUSIVE : 0;
  met = times_waited = asked = as_tasks = lines = 0;
  uint64_t left = iterations, began = now;
  struct run run;
  __asyncmem_adapt_start(&loop, &run, NUM_TASKS, TURN_CYCLES);
  for (;;) {
    uint64_t chunk = 0, given = run.budget;
    uint64_t some = least(given, left);
    work(&run, some, data);
    chunk += some;
    while (exclusive && run.form == TASKS && run.asks && chunk < left) {
      ++asked;
      given = __asyncmem_adapt_more(&loop, &run);
      if (!given != !run.asks)
        printf("what it gives and whether it asks do not agree\n");
      some = least(given, left - chunk);
      work(&run, some, data);
      chunk += some;
    }
    if (run.form == TASKS) {
      now += data.latency_cycles;
      ++times_waited;
    }
    left -= chunk;
    if (left == 0)
      break;
    __asyncmem_adapt_next(&loop, &run, chunk);
  }
  __asyncmem_adapt_end(&loop, &run, 0);
  printf("%s: %lu asked, waited %lu times, %lu of %lu as tasks, %lu cycles an iteration\n", name, (unsigned long)asked, (unsigned long)times_waited,
         (unsigned long)as_tasks, (unsigned long)iterations, (unsigned long)((now - began) / iterations));
}

int main(void) {
  struct data few = {.words = 64, .latency_cycles = 1200, .plain = 7, .tasks = 40};
  struct data many = {.words = 1 << 20, .latency_cycles = 1200, .plain = 20, .tasks = 40};
  // Few words are near soon: plain after some hundred iterations instead of some thousand.
  // CHECK: few: {{[23]}} asked, waited {{[3-5]}} times, {{[3-9][0-9][0-9]}} of 16384 as tasks, {{[89]|1[0-9]}} cycles
  show("few", 1, 16384, few);
  // CHECK-NEXT: not told so: 0 asked, waited {{[3-9]}} times, {{[4-6][0-9][0-9][0-9]}} of 16384 as tasks
  show("not told so", 0, 16384, few);
  // Words that no task meets again: looked at more and more seldom, and the tasks never wait for it.
  // CHECK-NEXT: many: {{[5-9]}} asked, waited {{[1-4]}} times, 499{{[0-9][0-9]}} of 50000 as tasks, 40 cycles
  show("many", 1, 50000, many);
  // CHECK-NEXT: many, not told so: 0 asked, waited {{[5-9]}} times
  show("many, not told so", 0, 50000, many);
  return 0;
}
