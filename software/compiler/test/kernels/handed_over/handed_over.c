// SPDX-License-Identifier: Apache-2.0
#include "asyncmem.h"
#include "data.h"

#define STRINGIFY(x) #x
#define PRAGMA(x) _Pragma(STRINGIFY(x))
#define TASKS PRAGMA(asyncmem num_task(BENCH_COROUTINES) reduction(+: sum))
#define LOOP __attribute__((noinline)) static uint64_t

// A counter that grows by 3.
LOOP by_three(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0;
  TASKS
  for (uint64_t n = 3 * first; n < 3 * (first + count); n += 3) {
    __builtin_is_remote(a);
    sum += a[place_of(n)] ^ n;
  }
  return sum;
}

// A pointer.
LOOP by_pointer(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0;
  TASKS
  for (const uint32_t *place = places + first; place != places + first + count; ++place) {
    __builtin_is_remote(a);
    sum += a[*place];
  }
  return sum;
}

// A counter that goes down, and a value that does not grow evenly.
LOOP downwards(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0, powers = 1;
  TASKS
  for (uint64_t n = count; n != 0; --n) {
    __builtin_is_remote(a);
    sum += a[place_of(n)] * powers;
    powers *= 3;
  }
  (void)first;
  return sum;
}

// From below zero.
LOOP negative(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0;
  TASKS
  for (int64_t n = -(int64_t)count; n < 0; ++n) {
    __builtin_is_remote(a);
    sum += a[place_of((uint64_t)n)] * (uint64_t)n;
  }
  (void)first;
  return sum;
}

// A narrow variable that wraps, and is read behind the loop, too.
LOOP narrow(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0;
  uint16_t factor = 0;
  TASKS
  for (uint32_t n = 0; n < (uint32_t)count; ++n) {
    __builtin_is_remote(a);
    sum += a[place_of(first + n)] * (factor + 1ul);
    factor = (uint16_t)(factor + 7);
  }
  return sum + factor;
}

// A step that only the program knows.
LOOP by_variable(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0, offset = 0;
  TASKS
  for (uint64_t n = first; n < first + count; ++n) {
    __builtin_is_remote(a);
    sum += a[places[n]] + offset;
    offset += first;
  }
  return sum;
}

// A narrow counter that may pass its end at first, for all that is known of it.
LOOP by_int(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t sum = 0;
  int begin = -(int)first, end = begin + (int)count;
  TASKS
  for (int n = begin; n != end; ++n) {
    __builtin_is_remote(a);
    sum += a[places[first + (uint64_t)(n - begin)]] * (uint64_t)n;
  }
  return sum;
}

// A place in a list that iterations share.
LOOP listed(const uint64_t *a, uint64_t first, uint64_t count) {
  uint64_t tail = listed_words;
#pragma asyncmem num_task(BENCH_COROUTINES) shared_var(tail)
  for (uint64_t n = first; n < first + count; ++n) {
    __builtin_is_remote(a);
    uint64_t word = a[place_of(n)];
    if (word & 2)
      list[tail++] = word;
  }
  return tail;
}

void bench_run(uint64_t first, uint64_t count) {
  sums[0] += by_three(words, first, count);
  sums[1] += by_pointer(words, first, count);
  sums[2] += downwards(words, first, count);
  sums[3] += negative(words, first, count);
  sums[4] += narrow(words, first, count);
  sums[5] += by_variable(words, first, count);
  sums[6] += by_int(words, first, count);
  listed_words = listed(words, first, count);
}
