// SPDX-License-Identifier: Apache-2.0
// As broken.c, in loops whose inner loop goes through rows, which the checker looks at as a whole.
// RUN: %check_promises %s %t
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Werror=pass-failed -fplugin-arg-asyncmem-coalesce=none
#include "data.h"

// Rows of an inner loop.
static void row(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    unsigned end = 8 + (unsigned)zeros[i];
    for (unsigned j = 0; j < end; ++j)
      own[twice[i] * 8 + j] = x[j] + i; // earlier written, later writes
  }
}

static void row_of_bytes(void) {
  uint8_t *bytes = (uint8_t *)own;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(far1);
    unsigned end = i == FIRST ? 36 : 35;
    for (unsigned j = 0; j < end; ++j)
      bytes[k[i] * 35 + j] = far1[j] ^ 5; // earlier written, later writes
  }
}

static void column(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 8 + (unsigned)zeros[i]; j-- > 0;)
      own[twice[i] + j * N] = x[j]; // earlier written, later writes
  }
}

static void row_read(void) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 0; j < N; ++j)
      sum += own[j]; // earlier read
    own[k[i] + (x[i] == FIRST ? 0 : N)] = 1; // later writes
  }
  own[0] = sum;
}

// The rows of two iterations of the loop around them.
enum { COLUMNS = 40 };
static uint64_t table[N * COLUMNS];
static void row_twice(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 0; j < COLUMNS; ++j)
      table[twice[i] * COLUMNS + j] = x[j] + i; // earlier written, later writes
  }
  own[0] = table[zeros[0]];
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(row), LOOP(row_of_bytes), LOOP(column), LOOP(row_read), LOOP(row_twice),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
