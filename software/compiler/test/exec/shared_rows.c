// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Rows that tasks share while their elements meet in few cache lines: the wait behind a row beside waits for the locks of
// updates and of atomics, by the same tasks. tools/nhg/workloads/test_synchronisation.py runs it on RTL, with other numbers of tasks.
#include "common.h"

#ifndef COUNT
#define COUNT 400
#endif
#ifndef TASKS
#define TASKS 64
#endif
enum { LONG = COUNT * 3, WORDS = 8, ROWS = 3, MANY_ROWS = 16 };

// Plain updates of one line, and sums of the row.
__attribute__((noinline)) static uint64_t counters(uint64_t *words, const uint64_t *keys, uint64_t rows, uint64_t length) {
  uint64_t all = 0;
#pragma asyncmem num_task(TASKS)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(words);
    __builtin_is_remote(keys);
    uint64_t sum = r, least = ~0ull;
#pragma asyncmem
    for (uint64_t e = 0; e < length; ++e) {
      uint64_t key = keys[e + r];
      words[key % WORDS] += e;
      sum += key;
      least = key < least ? key : least;
    }
    words[r % WORDS] += sum ^ least;
    all += sum;
  }
  return all;
}

// Atomic and plain updates of neighbouring words, before, in and behind the row.
struct line {
  uint64_t sum[3], bits;
  uint32_t small[4];
  uint64_t plain[2];
};
__attribute__((noinline)) static void atomics(struct line *line, const uint64_t *keys) {
#pragma asyncmem num_task(TASKS)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(line);
    __builtin_is_remote(keys);
    __atomic_fetch_add(&line->sum[r % 3], r, __ATOMIC_SEQ_CST);
#pragma asyncmem
    for (uint64_t e = 0; e < LONG / 2; ++e) {
      uint64_t key = keys[e * 3 + r];
      __atomic_fetch_add(&line->sum[key % 3], e, __ATOMIC_RELAXED);
      __atomic_fetch_xor(&line->small[key & 3], (uint32_t)key, __ATOMIC_SEQ_CST);
      line->plain[e & 1] += key;
    }
    __atomic_fetch_xor(&line->bits, keys[r], __ATOMIC_SEQ_CST);
  }
}

// The core's atomics on the line that the AMU updates.
__attribute__((noinline)) static void both(uint64_t *restrict remote, uint64_t *restrict local, const uint64_t *restrict keys) {
#pragma asyncmem num_task(TASKS)
  for (uint64_t r = 0; r < 2; ++r) {
    __builtin_is_remote(remote);
    __builtin_is_remote(keys);
#pragma asyncmem
    for (uint64_t e = 0; e < LONG; ++e) {
      uint64_t key = keys[e];
      remote[key & 3] += e + r;
      __atomic_fetch_add(&local[key >> 2 & 3], key, __ATOMIC_RELAXED);
    }
  }
}

// Few long rows among many; what rows write lies side by side. Iterations of the marked loop meet in words, too.
static uint64_t length(uint64_t r) { return r % 7 == 3 || r == MANY_ROWS - 1 ? LONG : r * 29 % 70; }
__attribute__((noinline)) static void uneven(uint64_t *words, uint32_t *own, const uint64_t *keys) {
#pragma asyncmem num_task(TASKS)
  for (uint64_t r = 0; r < MANY_ROWS; ++r) {
    __builtin_is_remote(words);
    __builtin_is_remote(own);
    __builtin_is_remote(keys);
    uint64_t bits = r, end = length(r);
    __atomic_fetch_add(&words[r & 1], 1, __ATOMIC_RELAXED);
#pragma asyncmem
    for (uint64_t e = 0; e < end; ++e) {
      uint64_t key = keys[e + r * 2];
      own[r * LONG + e] = (uint32_t)(key + r);
      words[2 + (key & 3)] ^= key;
      bits ^= key;
    }
    words[r & 1] += bits;
  }
}

// Compare-and-exchange, and a spin lock of atomics around two words: tasks poll what others hold.
__attribute__((noinline)) static void guarded(uint64_t *words, const uint64_t *keys, uint64_t rows) {
#pragma asyncmem num_task(TASKS)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(words);
    __builtin_is_remote(keys);
#pragma asyncmem
    for (uint64_t e = 0; e < COUNT; ++e) {
      uint64_t key = keys[e * 2 + r];
      uint64_t seen = __atomic_load_n(&words[4], __ATOMIC_RELAXED);
      while (key < seen && !__atomic_compare_exchange_n(&words[4], &seen, key, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        ;
      while (__atomic_exchange_n(&words[0], 1, __ATOMIC_ACQUIRE))
        ;
      uint64_t first = __atomic_load_n(&words[1], __ATOMIC_RELAXED);
      __atomic_store_n(&words[1], first + key, __ATOMIC_RELAXED);
      uint64_t second = __atomic_load_n(&words[2], __ATOMIC_RELAXED);
      __atomic_store_n(&words[2], second + (first & 0) + e, __ATOMIC_RELAXED);
      __atomic_store_n(&words[0], 0, __ATOMIC_RELEASE);
    }
  }
}

// Elements in the order in which they ran: that of the row, unless tasks share it.
__attribute__((noinline)) static uint64_t ordered(uint64_t *order, uint64_t *words, const uint64_t *keys, uint64_t rows) {
  uint64_t tail = 0;
#pragma asyncmem num_task(TASKS) shared_var(tail)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(order);
    __builtin_is_remote(words);
    __builtin_is_remote(keys);
#pragma asyncmem
    for (uint64_t e = 0; e < LONG; ++e) {
      words[keys[e] % WORDS]++;
      order[tail++] = e;
    }
  }
  uint64_t backwards = 0;
  for (uint64_t e = 1; e < tail; ++e)
    backwards += order[e] < order[e - 1];
  return backwards;
}

int main(void) {
  // Not known to the optimizer.
  static volatile uint64_t length_of_rows = LONG, one_row = 1;
  uint64_t *keys = remote_words(LONG * 2), *words = remote_words(WORDS), *order = remote_words(LONG);
  uint32_t *own = remote_alloc(MANY_ROWS * LONG * sizeof *own);
  struct line *line = remote_alloc(sizeof *line);
  uint64_t *mixed = remote_words(WORDS);
  for (uint64_t rows = 1; rows <= ROWS; rows += 2)
    printf("counters %lx\n", (unsigned long)counters(words, keys, rows, length_of_rows));
  print_digest("counters", words, WORDS * sizeof *words);
  atomics(line, keys);
  print_digest("atomics", line, sizeof *line);
  both(mixed, mixed + 4, keys);
  print_digest("both", mixed, WORDS * sizeof *mixed);
  uneven(words, own, keys);
  print_digest("uneven", words, WORDS * sizeof *words);
  print_digest("own", own, MANY_ROWS * LONG * sizeof *own);
  words[0] = 0;
  guarded(words, keys, one_row);
  print_digest("guarded", words, WORDS * sizeof *words);
  uint64_t backwards = ordered(order, words, keys, one_row);
  print_digest("ordered", words, WORDS * sizeof *words);
#ifdef SHARES
  if ((backwards != 0) != SHARES)
    printf("%lu steps backwards\n", (unsigned long)backwards);
#endif
  return 0;
}
