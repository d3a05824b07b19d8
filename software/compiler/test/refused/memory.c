// SPDX-License-Identifier: Apache-2.0
// Loops refused for what iterations do to memory.
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t flow(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: an iteration reads what another one writes, the order of iterations would show; read a copy
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 1; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] += a[i - 1];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

struct queue {
  uint64_t tail, items[64];
};

uint64_t queue_in_memory(const uint64_t *a, struct queue *q, int n) {
  OUTSIDE
  // REFUSED: every iteration reads and writes the same variable, the order of iterations would show; if it may, hold asyncmem_lock from the read to the write
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    const uint64_t value = a[i];
    q->items[q->tail++] = value;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

// The addresses are joined behind checks that end the program.
uint64_t checked_flow(const uint64_t *a, uint64_t *restrict sums, int n) {
  OUTSIDE
  // REFUSED: an iteration reads what another one writes, the order of iterations would show; read a copy
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    const uint64_t value = a[i];
    uint64_t *from;
    if (value & 8) {
      if ((i ^ n) == 12345)
        __builtin_trap();
      from = &sums[i];
    } else {
      if ((i ^ n) == 23456)
        __builtin_trap();
      from = &sums[i + 3];
    }
    sums[i + 5] = value + *from;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

static struct queue own;
uint64_t queue_of_the_program(const uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: every iteration reads and writes the same variable, the order of iterations would show; if it may, use a local variable that shared_var() names, by no recursive callee
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    const uint64_t value = a[i];
    own.items[own.tail++] = value;
    INSIDE((uint64_t)i)
  }
  return RESULT + own.tail;
}

uint64_t overlapping_writes(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: iterations write the same place in memory, the order of iterations would show; give each its own
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] = 1;
    a[i + 2] = 2;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t meeting_columns(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: iterations write the same place in memory, the order of iterations would show; give each its own
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    for (int j = 0; j < 3; ++j)
      a[j * 16 + i] = (uint64_t)i;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t columns_of_others(uint64_t *a) {
  OUTSIDE
  // REFUSED: an iteration reads what another one writes, the order of iterations would show; read a copy
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < 256; ++i) {
    __builtin_is_remote(a);
    uint64_t sum = 0;
    for (int j = 0; j < 40; ++j)
      sum += a[j * 1024 + i];
    for (int j = 0; j < 30; ++j)
      a[(j + 1) * 1024 + 3 + i * 2] = sum;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t last;
uint64_t same_place(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: every iteration writes the same variable, the order of iterations would show; name it in private() or update it by a commutative operation
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      last = (uint64_t)i;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t stale(uint64_t *a, uint64_t *counts, int n) {
  OUTSIDE
  // REFUSED: local memory is read before and written after a remote access, other iterations may change it between; hold asyncmem_lock from the read to the write
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t old = counts[i % 7];
    counts[i % 7] = old / (a[i] | 1);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

struct eight {
  uint64_t of[8];
};

static inline struct eight spread(uint64_t v) {
  struct eight words;
  for (int i = 0; i < 8; ++i)
    words.of[(i + v) & 7] = v >> i;
  return words;
}

// Clang marks the life neither of what a call returns nor, in C, of a variable behind a label.
uint64_t lives_unseen(uint64_t *a, const uint64_t *b, int n) {
  OUTSIDE
again:;
  uint64_t more = b[0];
  // REFUSED: which of its variables live on to the next iteration is not known, beside a label or the result; give it a function of its own
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE(spread(a[i]).of[a[b[i]] & 7] + more)
  }
  if (b[more] == 12345)
    goto again;
  return RESULT;
}

uint64_t odd_width(unsigned _BitInt(37) *a, int n) {
  OUTSIDE
  // REFUSED: a remote access has no fixed number of bytes; use a type that has
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE((uint64_t)a[i])
  }
  return RESULT;
}
