// SPDX-License-Identifier: Apache-2.0
// As right.c, in inner loops with a pragma of their own, which tasks of the AMU share.
// RUN: %check_promises %s %t
// RUN: %coroamu_cc -masync=check -O2 -Werror=pass-failed %S/../exec/nested.c -o %t.exec && %t.exec > %t.checked
// RUN: %coroamu_cc -masync=off -O2 %S/../exec/nested.c -o %t.exec && %t.exec | diff - %t.checked
// RUN: %clang %plugin %riscv %sched=bafin -O2 -c %s -o %t.o -Werror=pass-failed -fplugin-arg-asyncmem-coalesce=none
#include "data.h"

enum { ROWS = 6 };

// Rows use the places of others, in an order of their own.
static void permutations(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      y[i * N + k[j]] = x[j];
      own[i * N + k[k[j]]] += x[k[j]];
    }
  }
}

// What the iteration around them does in front of them and behind them meets none of them.
static void before_and_behind(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    for (unsigned j = 0; j < N; ++j)
      y[i * N + k[j]] = i;
    x[N + i * N + k[i]] = i;
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      y[i * N + k[j]] = x[N + i * N + k[i] + zeros[j]] + x[j % 50];
      z[i * N + j] = x[N + i * N + twice[i] + zeros[j]];
    }
    for (unsigned j = 0; j < N; ++j)
      y[i * N + k[j]] ^= y[i * N + j] + i;
  }
}

static void sums(void) {
  uint64_t all = 0;
#pragma asyncmem num_task(16) reduction(+ : all)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    uint64_t sum = 0, least = ~0ull;
    unsigned end = N - (unsigned)zeros[i];
#pragma asyncmem
    for (unsigned j = 0; j < end; ++j) {
      uint64_t value = x[i * N + k[j]];
      sum += value;
      least = value < least ? value : least;
      all += value * 3;
    }
    own[i] = sum + least * 3;
  }
  own[ROWS] = all;
}

static void listed(void) {
  uint64_t tail = 0;
#pragma asyncmem num_task(16) shared_var(tail)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      if (x[k[j]] % 3 == 0)
        own[tail++] = x[k[j]];
  }
  own[7 * N] = tail;
}

// The same places, updated with nothing between read and write.
static void histogram(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = x[j];
      ++own[value % 7];
      own[8 + value % 5] ^= j;
      if (own[30 + value % 3] < j)
        own[30 + value % 3] = j;
    }
  }
}

// Tasks have a word for themselves from the read to the write, also where the clause speaks of rows only.
static void exclusive(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      y[twice[j] % 50] += j;
  }
}

static void exclusive_in_row(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      y[i * 64 + (j & 15)] += k[j];
  }
}

static void distinct(void) {
#pragma asyncmem num_task(16) distinct_update(y)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      y[i * N + twice[j] % 50] += j;
  }
}

static void lossy(void) {
  uint64_t *table = y;
#pragma asyncmem num_task(16) lossy_update(table)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(table);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      if (table[twice[j] % 9] != j)
        table[twice[j] % 9] = 7;
  }
}

static void atomics(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(y);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j)
      if (j % 2)
        __atomic_fetch_add(&y[twice[j] % 8], j, __ATOMIC_RELAXED);
      else
        y[twice[j] % 8] += j;
  }
}

// Iterations share words, not bytes, or not bits.
__attribute__((noinline)) static void narrow(uint8_t *bytes, uint16_t *shorts, uint32_t *words, const uint64_t *index) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t value = x[j];
      bytes[i * N + index[j]] = (uint8_t)value;
      shorts[i * N + index[j]] = (uint16_t)(value * 3);
      words[i * N + index[j]] = (uint32_t)(value * 5);
    }
  }
}
static void parts_of_words(void) { narrow(far1, (uint16_t *)(own + N), far4, k); }

static void bits(void) {
  unsigned rows = 1 + (unsigned)zeros[0];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < rows; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint32_t value = (uint32_t)x[j];
      if (j % 2)
        near_flags[k[j / 2]].kind = value & 0x1fff;
      else
        near_flags[k[j / 2]].size = value & 0xffff;
    }
  }
}

// An array that each iteration has for itself, frames of callees, memory from the heap.
__attribute__((noinline, pure)) static uint64_t digest(uint64_t from) {
  uint64_t words[8], sum = 0;
  for (unsigned j = 0; j < 8; ++j)
    words[(from + j) % 8] = from * j;
  for (unsigned j = 0; j < 8; ++j)
    sum = sum * 3 + words[(from / 2 + j) % 8];
  return sum;
}
static void scratch(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t words[4] = {i, j, 2, 3};
      words[x[j] & 3] += j;
      own[i * N + k[j]] = words[k[j] & 3] + digest(x[j] + i);
    }
  }
}

static void heap(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < N; ++j) {
      uint64_t *words = malloc(8 * (1 + k[j] % 8));
      for (unsigned w = 0; w <= k[j] % 8; ++w)
        words[w] = x[j] * w;
      own[i * N + j] = words[k[j] % 8];
      free(words);
    }
  }
}

static void levels(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
#pragma asyncmem
    for (unsigned j = 0; j < 50; ++j)
      for (unsigned w = 0; w < 1 + x[j] % 2; ++w)
        own[i * N + 2 * j + w] = x[j] + w;
  }
}

static void empty(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < ROWS; ++i) {
    __builtin_is_remote(x);
    unsigned end = i == 3 ? N : (unsigned)zeros[i];
#pragma asyncmem
    for (unsigned j = 0; j < end; ++j)
      own[k[j]] = x[j];
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(permutations), LOOP(before_and_behind), LOOP(sums), LOOP(listed), LOOP(histogram), LOOP(exclusive),
    LOOP(exclusive_in_row), LOOP(distinct), LOOP(lossy), LOOP(atomics), LOOP(parts_of_words), LOOP(bits),
    LOOP(scratch), LOOP(heap), LOOP(levels), LOOP(empty),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
