// SPDX-License-Identifier: Apache-2.0
// As right.c, in loops whose inner loop goes through rows.
// RUN: %check_promises %s %t
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Werror=pass-failed -fplugin-arg-asyncmem-coalesce=none
#include "data.h"

enum { ROWS = 6 };

// Rows of bytes end within words.
static void rows_of_bytes(void) {
  uint8_t *bytes = (uint8_t *)own;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(far1);
    for (unsigned j = 0; j < 35; ++j)
      bytes[k[i] * 35 + j] = far1[j] ^ 5;
    for (unsigned j = 35; j-- > 0;)
      bytes[k[i] * 35 + j] ^= bytes[k[i] * 35 + (j ^ 1) % 35] + far1[j * 2];
  }
}

// Under a lock.
static void locked_rows(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    asyncmem_lock(&locks[0]);
    for (unsigned j = 0; j < N; ++j)
      own[j] += value;
    asyncmem_unlock(&locks[0]);
  }
}

// Rows that overlap with each other, or lie beside what is scattered.
__attribute__((noinline)) static void weave(uint64_t *to, const uint64_t *from, uint64_t step) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < 2; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    for (uint64_t j = 0; j < N / 2; ++j) {
      to[i * N + 2 * j] = from[i * N + 2 * j + 1] * 3;
      to[(2 + i) * N + 2 * (j * 37 % (N / 2))] = from[(2 + i) * N + 2 * (N / 2 - 1 - j) + 1];
      to[(4 + 2 * i) * N + j * step] = from[(4 + 2 * i) * N + j * 4 + 1];
    }
  }
}
static void woven_rows(void) { weave(y, y, 4 - zeros[0]); }

// Indices of 32 bits wrap around.
__attribute__((noinline)) static void wrap(uint8_t *to, const uint8_t *from, uint32_t first, uint32_t last, uint32_t n) {
#pragma asyncmem num_task(16)
  for (uint32_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    for (uint32_t j = 0; j < n; ++j)
      to[first + i * n + j] = from[last + i * n - j] + 1;
  }
}
static void wrapped_indices(void) {
  uint8_t *bytes = reserved(1ull << 33);
  wrap(bytes, bytes + 600, (uint32_t)zeros[0] - 250, 50 + (uint32_t)zeros[0], N);
  for (unsigned i = 0; i < 350; ++i)
    own[i] = bytes[i];
}

__attribute__((noinline)) static void gather(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    for (unsigned j = N; j-- > 0;)
      to[i * N + j] = from[ROWS * N + k[j]] + from[ROWS * N + twice[j]] + from[i * N + j];
  }
}
static void gathered_rows(void) { gather(y, y); }

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(rows_of_bytes), LOOP(locked_rows), LOOP(woven_rows), LOOP(wrapped_indices), LOOP(gathered_rows),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
