// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// An inner loop updates one place of local memory. Optimisation carries what was written there last from one iteration to the next, and reads the place only in
// front of the loop; but several tasks share the loop, or run rows that update the same place.
#include "common.h"

enum { ROWS = 60, COLUMNS = 150, BINS = 8 };

static uint64_t once[ROWS], twice[ROWS], sometimes[ROWS], many[BINS], moved[BINS];

__attribute__((noinline)) static void run(const uint64_t *far, uint64_t *out, uint64_t *restrict a, uint64_t *restrict b, uint64_t *restrict c,
                                          uint64_t *restrict d) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(far);
    __builtin_is_remote(out);
    uint64_t first = far[i];
    for (uint64_t j = 0; j < COLUMNS; ++j) {
      uint64_t value = far[i * COLUMNS + j];
      a[i] += value;
      // The first update is not stored before the second one, which waits.
      b[i] += value & 7;
      b[i] += far[ROWS * COLUMNS + value % COLUMNS];
      if (value & 4)
        c[i] ^= value;
      d[i * i % BINS] += value;
    }
    out[i] += first;
  }
}

// The loop is not shared, its rows meet.
__attribute__((noinline)) static void run_lists(const uint64_t *far, uint64_t *out, uint64_t *restrict to) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < ROWS; ++i) {
    __builtin_is_remote(far);
    __builtin_is_remote(out);
    uint64_t place = i % COLUMNS;
    for (uint64_t j = 0; j < i % 13; ++j) {
      uint64_t value = far[place];
      to[i % BINS] -= value & 15;
      place = value % COLUMNS;
      to[i % BINS] -= far[ROWS * COLUMNS + place];
    }
    out[i] += place;
  }
}

int main(void) {
  uint64_t *far = remote_alloc((ROWS + 1) * COLUMNS * sizeof *far), *out = remote_alloc(ROWS * sizeof *out);
  for (uint64_t i = 0; i < (ROWS + 1) * COLUMNS; ++i)
    far[i] = mix((int)i);
  for (uint64_t i = 0; i < ROWS; ++i)
    out[i] = i;
  run(far, out, once, twice, sometimes, many);
  run_lists(far, out, moved);
  print_digest("once", once, sizeof once);
  print_digest("twice", twice, sizeof twice);
  print_digest("sometimes", sometimes, sizeof sometimes);
  print_digest("many", many, sizeof many);
  print_digest("moved", moved, sizeof moved);
  print_digest("out", out, ROWS * sizeof *out);
  return 0;
}
