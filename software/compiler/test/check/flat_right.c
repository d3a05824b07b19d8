// SPDX-License-Identifier: Apache-2.0
// As right.c, in loops without an inner one that go through rows, and where two accesses lie side by side.
// RUN: %check_promises %s %t
#include "data.h"

struct pair {
  uint64_t a, b;
};

// Rows overlap, but only an iteration meets itself.
__attribute__((noinline)) static void update(uint64_t *to, const uint64_t *from, uint64_t step) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i * step] = from[i * step] * 3;
    to[i * step + 1] = from[i * step + 1] * 5;
  }
}
static void in_place(void) { update(y, y, 2 + zeros[0]); }

__attribute__((noinline)) static void weave(uint64_t *to, const uint64_t *from, uint64_t step) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i * step] = from[i * 2 + 1];
  }
}
static void woven(void) { weave(y, y, 2 - zeros[0]); }
static void woven_by_another_step(void) { weave(y + 4 * N, y, 4 - zeros[0]); }

__attribute__((noinline)) static void shuffle(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[2 * k[i]] = from[2 * i + 1];
  }
}
static void row_beside_scatter(void) { shuffle(y, y); }
static void row_far_from_scatter(void) { shuffle(y, x); }

// Bytes share words with those of other iterations.
__attribute__((noinline)) static void bytes(uint8_t *to, const uint8_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = N; i-- > 0;) {
    __builtin_is_remote(from);
    to[2 * i + 1] = from[2 * i] ^ 3;
  }
}
static void woven_bytes(void) { bytes(far1, far1); }

__attribute__((noinline)) static void wrap(uint8_t *to, const uint8_t *from, uint32_t first, uint32_t last, uint32_t n) {
#pragma asyncmem num_task(16)
  for (uint32_t i = 0; i < n; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[first + i] = from[last - i] + 1;
  }
}
static void wrapped_indices(void) {
  uint8_t *some = reserved(1ull << 33);
  wrap(some, some + 600, (uint32_t)zeros[0] - 50, 50 + (uint32_t)zeros[0], N);
  for (unsigned i = 0; i < 350; ++i)
    own[i] = some[i];
}

__attribute__((noinline)) static void sums(uint64_t *to, const uint64_t *from, uint64_t n) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    uint64_t sum = 0;
    for (unsigned j = 0; j < n; ++j)
      sum += from[twice[i] + j];
    to[i] = sum;
  }
}
static void row_behind_rows(void) { sums(y + 2 * N, y, N - zeros[0]); }
static void no_rows(void) { sums(y, y, zeros[0]); }

// All that an inner loop uses is one row's part.
__attribute__((noinline)) static void blocks(uint32_t *to, const uint32_t *from, const uint32_t *all, uint64_t columns) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 10; i-- > 0;) {
    __builtin_is_remote(from);
    for (uint64_t j = columns; j-- > 0;)
      to[i * 24 + j] = from[i * 24 + j] ^ all[j];
  }
}
static void blocks_in_place(void) { blocks(far4, far4, far4 + 300, 24 - zeros[0]); }
static void blocks_with_gaps(void) { blocks(far4 + 12, far4, far4 + 500, 11 - zeros[0]); }

__attribute__((noinline)) static void between(uint64_t *to, const uint64_t *from, uint64_t columns) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < 10; ++i) {
    __builtin_is_remote(from);
    uint64_t sum = 0;
    for (uint64_t j = 0; j < columns; ++j)
      sum += from[i * 24 + j];
    to[24 * i + k[i] % 24] = sum;
  }
}
static void block_and_place(void) { between(y, y, 24 - zeros[0]); }

// Neighbours, also across a line of cells.
static void pairs(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    struct pair *p = (struct pair *)(own + 1 + 3 * k[i]);
    p->b += x[i];
    p->a ^= p->b;
    own[3 * k[i] + 3] = own[3 * k[i] + 1] + own[3 * k[i] + 2];
  }
}

static void pairs_of_words(void) {
  uint32_t *words = (uint32_t *)own;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint32_t *p = &words[3 * k[i] + 1];
    p[1] = (uint32_t)x[i];
    p[0] += p[1] * 5;
  }
}

static void sixteen_bytes(void) {
  unsigned __int128 *wide = (unsigned __int128 *)own;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    wide[k[i]] += (unsigned __int128)x[i] << 40;
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(in_place), LOOP(woven), LOOP(woven_by_another_step), LOOP(row_beside_scatter), LOOP(row_far_from_scatter), LOOP(woven_bytes),
    LOOP(wrapped_indices), LOOP(row_behind_rows), LOOP(no_rows), LOOP(pairs), LOOP(pairs_of_words), LOOP(sixteen_bytes),
    LOOP(blocks_in_place), LOOP(blocks_with_gaps), LOOP(block_and_place),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
