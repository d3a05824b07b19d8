// SPDX-License-Identifier: Apache-2.0
// As broken.c, in loops whose callees stay calls.
// RUN: %check_promises %s %t
#include "data.h"

__attribute__((noinline)) static uint64_t at(const uint64_t *p) { return *p; } // earlier read
__attribute__((noinline)) static uint64_t sum_of(const uint64_t *p, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t j = 0; j < count; ++j)
    sum += at(p + j); // earlier read
  return sum;
}

// The same function before the first remote access, where iterations run in order, and behind it.
static void early_and_late(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    own[i] = i; // later writes
    uint64_t early = sum_of(&z[i], 1);
    own[N + i] = x[i] + early + sum_of(&own[i == FIRST ? SECOND : i], 1 + zeros[i]);
  }
}

// A callee with a marked loop of its own, which comes before its caller in the module.
__attribute__((noinline)) void fill(uint64_t *to, uint64_t value, unsigned count) {
#pragma asyncmem num_task(8)
  for (unsigned j = 0; j < count; ++j) {
    __builtin_is_remote(y);
    to[k[j]] = y[k[j]] + value; // earlier written, later writes
  }
}
static void marked_callee(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < 4; ++i) {
    __builtin_is_remote(x);
    fill(own + N * (i == 3 ? 1 : i), x[i], 4 + (unsigned)zeros[i]);
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {LOOP(early_and_late), LOOP(marked_callee)};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
