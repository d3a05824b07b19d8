// SPDX-License-Identifier: Apache-2.0
// As broken.c, in loops without an inner one that go through rows, and where two accesses lie side by side.
// RUN: %check_promises %s %t
#include "data.h"

struct pair {
  uint64_t a, b;
};

__attribute__((noinline)) static void copy_to(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i] = from[i]; // earlier written, later reads
  }
}
static void rows_overlap(void) { copy_to(y + 5, y); }

__attribute__((noinline)) static void copy_back(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = N; i-- > 0;) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i] = from[i]; // earlier read, later writes
  }
}
static void back_rows(void) { copy_back(y + 5, y); }

__attribute__((noinline)) static void copy_steps(uint64_t *to, const uint64_t *from, uint64_t step) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[i * step] = from[i * 3]; // earlier read, later writes
  }
}
static void other_steps(void) { copy_steps(y, y + 8, 2 + zeros[0]); }

__attribute__((noinline)) static void put_steps(uint64_t *to, uint64_t step) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    to[i * step] = x[i]; // earlier written, later writes
  }
}
static void no_step(void) { put_steps(own, zeros[0]); }

__attribute__((noinline)) static void put_blocks(char *to, uint64_t step) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    memcpy(to + i * step, &x[i], 8); // earlier written, later writes
  }
}
static void short_step(void) { put_blocks((char *)own, 6 + zeros[0]); }

// An index of 32 bits wraps around.
__attribute__((noinline)) static void wrap(uint8_t *to, const uint8_t *from, uint32_t first, uint32_t n) {
#pragma asyncmem num_task(16)
  for (uint32_t i = 0; i < n; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[first + i] = from[i]; // earlier read, later writes
  }
}
static void wrapped_index(void) {
  uint8_t *bytes = reserved(1ull << 33);
  wrap(bytes, bytes + 10, (uint32_t)zeros[0] - 50, N);
}

// A row and what is scattered.
__attribute__((noinline)) static void shuffle(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    to[k[i]] = from[i]; // earlier written, later reads
  }
}
static void row_and_scatter(void) { shuffle(y, y); }

// The row's read was the first one.
__attribute__((noinline)) static void update_one(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    __builtin_is_remote(to);
    uint64_t value = from[i]; // earlier read
    own[i] = value;
    if (i + zeros[i] == FIRST)
      to[k[i]] = value; // later writes
  }
}
static void row_read_before(void) { update_one(y, y); }

// A loop that only reads beside its row.
__attribute__((noinline)) static void look_up(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    to[i] = from[k[i]]; // earlier read, later writes
  }
}
static void row_and_gather(void) { look_up(y, y); }

// The row of an inner loop, and one of the loop itself.
__attribute__((noinline)) static void sums(uint64_t *to, const uint64_t *from) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(from);
    uint64_t sum = 0;
    for (unsigned j = 0; j < N / 2; ++j)
      sum += from[twice[i] + j]; // earlier read
    to[i] = sum;                 // later writes
  }
}
static void row_in_row(void) { sums(y, y + 2); }

// All that an inner loop uses is one row's part.
__attribute__((noinline)) static void blocks(uint64_t *to, const uint64_t *from, uint64_t step, uint64_t columns) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < 10; ++i) {
    __builtin_is_remote(from);
    for (uint64_t j = 0; j < columns; ++j)
      to[i * step + j] = from[i * step + j]; // earlier written, later writes
  }
}
static void blocks_overlap(void) { blocks(own, x, 20, 21 + zeros[0]); }

__attribute__((noinline)) static void one_block(uint64_t *to, const uint64_t *from, uint64_t step, uint64_t columns) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < 10; ++i) {
    __builtin_is_remote(from);
    for (uint64_t j = 0; j < columns; ++j)
      to[i * step + j] = from[i * 40 + j]; // earlier written, later writes
  }
}
static void block_again(void) { one_block(own, x, zeros[0], 30 + zeros[0]); }

__attribute__((noinline)) static void blocks_back(uint32_t *to, const uint32_t *from, uint64_t columns) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 10; i-- > 0;) {
    __builtin_is_remote(from);
    for (uint64_t j = columns; j-- > 0;)
      to[i * 24 + j] = from[i * 24 + j] ^ 3; // earlier written, later reads
  }
}
static void back_blocks_overlap(void) { blocks_back(far4, far4 + 20, 24 - zeros[0]); }

// Neighbours.
static void second_of_two(void) {
  struct pair *pairs = (struct pair *)y;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(pairs);
    uint64_t value = x[i];
    struct pair *p = &pairs[k[i]], *q = i == SECOND ? &pairs[twice[i]] : p;
    p->a = value;
    p->b = value + 1; // earlier written
    q->b += 3; // later writes
  }
}

static void first_of_two(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    own[2 * k[i] + 1] = value;
    own[2 * twice[i] + (i == SECOND ? 0 : 2 * (k[i] - twice[i]))] = value + 1; // earlier written, later writes
  }
}

static void sixteen_bytes(void) {
  unsigned __int128 *wide = (unsigned __int128 *)own;
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    wide[twice[i]] = (unsigned __int128)x[i] << 40; // earlier written, later writes
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(rows_overlap), LOOP(back_rows), LOOP(other_steps), LOOP(no_step),
    LOOP(short_step), LOOP(wrapped_index), LOOP(row_and_scatter), LOOP(row_read_before),
    LOOP(row_and_gather), LOOP(row_in_row), LOOP(second_of_two), LOOP(first_of_two),
    LOOP(sixteen_bytes), LOOP(blocks_overlap),
    LOOP(back_blocks_overlap), LOOP(block_again),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
