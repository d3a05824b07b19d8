// SPDX-License-Identifier: Apache-2.0
//
// The loop of .NET's measurements, as the compiler's tasks: one task awaits again and again what is never pending, and what always is. In cycles and
// instructions an await, natively in ns. AWAITS: how many.
#include <stdbool.h>
#include <stdio.h>

#include "asyncmem.h"
#include "clocks.h"

enum { Words = 64 };

static uint64_t words[Words];
static uint64_t lock;

// A free lock: the task goes on at once. The memory behind it is so near that no task is to wait for it.
__attribute__((noinline)) static uint64_t never_pending(const uint64_t *near, const uint64_t *far, uint64_t tasks,
                                                        uint64_t awaits) {
  uint64_t result = 0;
#pragma asyncmem num_task(1)
  for (uint64_t task = 0; task < tasks; ++task) {
    __builtin_is_near(near);
    __builtin_is_remote(far);
    uint64_t at = far[task], sum = 0;
    for (uint64_t i = 0; i < awaits; ++i) {
      asyncmem_lock(&lock);
      at = near[at];
      sum += i ^ at;
      asyncmem_unlock(&lock);
    }
    result += sum;
  }
  return result;
}

// Memory: the scheduler runs, and finds this task again.
__attribute__((noinline)) static uint64_t always_pending(const uint64_t *near, const uint64_t *far, uint64_t tasks,
                                                         uint64_t awaits) {
  (void)near;
  uint64_t result = 0;
#pragma asyncmem num_task(1)
  for (uint64_t task = 0; task < tasks; ++task) {
    __builtin_is_remote(far);
    uint64_t at = far[task], sum = 0;
    for (uint64_t i = 0; i < awaits; ++i) {
      at = far[at];
      sum += i ^ at;
    }
    result += sum;
  }
  return result;
}

static uint64_t expected(uint64_t awaits) {
  uint64_t at = words[0], sum = 0;
  for (uint64_t i = 0; i < awaits; ++i) {
    at = words[at];
    sum += i ^ at;
  }
  return sum;
}

static bool print_row(const char *name, uint64_t (*run)(const uint64_t *, const uint64_t *, uint64_t, uint64_t)) {
  run(words, words, 1, AWAITS / 10);
  const clocks began = clocks_now();
  const uint64_t sum = run(words, words, 1, AWAITS);
  const clocks ended = clocks_now();
  const int64_t time = (ended.time - began.time) * 100 / AWAITS,
                instructions = (ended.instructions - began.instructions) * 100 / AWAITS;
  printf("%-14s %3d.%02d %3d.%02d\n", name, (int)(time / 100), (int)(time % 100), (int)(instructions / 100),
         (int)(instructions % 100));
  return sum == expected(AWAITS);
}

int main(void) {
  for (uint64_t i = 0; i < Words; ++i)
    words[i] = (i * 5 + 3) % Words;
  const bool never = print_row("never pending", never_pending), always = print_row("always pending", always_pending);
  if (!never || !always)
    printf("a sum is wrong\n");
  return never && always ? 0 : 1;
}
