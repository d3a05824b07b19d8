// SPDX-License-Identifier: Apache-2.0
// As broken.c and nested_broken.c, in loops whose inner loop goes through rows, which the checker looks at as a whole.
// RUN: %check_promises %s %t
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Werror=pass-failed -fplugin-arg-asyncmem-coalesce=none
#include "data.h"

enum { ROWS = 6 };

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

// Rows, of which nothing is followed one by one before they meet something.
__attribute__((noinline)) static void shuffle(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      to[i * N + k[j]] = from[i * N + j]; // inside, earlier written, later reads
  }
}
static void row_and_scatter(void) { shuffle(y, y); }

// The row's read was the first one.
__attribute__((noinline)) static void update_one(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = from[i * N + j]; // earlier read
      value += from[i * N + twice[j]];
      own[i * N + j] = value;
      if (j == FIRST)
        to[i * N + twice[j]] = value; // inside, later writes
    }
  }
}
static void row_read_before(void) { update_one(y, y); }

__attribute__((noinline)) static void copy_back(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
#pragma asyncmem
    for (unsigned j = N; j-- > 0;)
      to[i * 120 + j] = from[i * 120 + j]; // inside, earlier read, later writes
  }
}
static void back_rows(void) { copy_back(y + 5, y); }

__attribute__((noinline)) static void copy_steps(uint64_t *to, const uint64_t *from, uint64_t step) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
#pragma asyncmem
    for (uint64_t j = 0; j < N / 3; ++j)
      to[i * N + j * step] = from[i * N + j * 3]; // inside, earlier read, later writes
  }
}
static void other_steps(void) { copy_steps(y, y + 8, 2); }

__attribute__((noinline)) static void put_steps(uint64_t *to, const uint64_t *steps) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    uint64_t step = steps[i];
#pragma asyncmem
    for (uint64_t j = 0; j < N; ++j)
      to[i * N + j * step] = x[j]; // inside, earlier written, later writes
  }
}
static void no_step(void) { put_steps(own, zeros); }

__attribute__((noinline)) static void put_blocks(char *to, uint64_t step) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (uint64_t j = 0; j < N; ++j)
      memcpy(to + i * N * 8 + j * step, &x[j], 8); // inside, earlier written, later writes
  }
}
static void short_step(void) { put_blocks((char *)own, 6 + zeros[0]); }

// An index of 32 bits wraps around.
__attribute__((noinline)) static void wrap(uint8_t *to, const uint8_t *from, uint32_t first, uint32_t n) {
  unsigned rows = 1 + (unsigned)zeros[0];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < rows; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
#pragma asyncmem
    for (uint32_t j = 0; j < n; ++j)
      to[first + j] = from[j]; // inside, earlier read, later writes
  }
}
static void wrapped_index(void) {
  uint8_t *bytes = reserved(1ull << 33);
  wrap(bytes, bytes + 10, (uint32_t)zeros[0] - 50, N);
}

// The rows of two iterations of the loop around them.
enum { COLUMNS = 40 };
static uint64_t table[N * COLUMNS];
static void row_twice(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < COLUMNS; ++j)
      table[twice[i] * COLUMNS + j] = x[j] + i; // earlier written, later writes
  }
  own[0] = table[zeros[0]];
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(row), LOOP(row_of_bytes), LOOP(column), LOOP(row_read),
    LOOP(row_and_scatter), LOOP(row_read_before), LOOP(back_rows), LOOP(other_steps), LOOP(no_step), LOOP(short_step), LOOP(row_twice),
    LOOP(wrapped_index),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
