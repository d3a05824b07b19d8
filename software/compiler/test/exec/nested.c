// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Inner loops whose iterations several tasks run: rows of every length, one giant row at the begin, in the middle and at the end,
// a few rows only; sums by every operation, counters of several widths and directions, values computed before and used behind,
// exclusive updates inside, two levels of the loop.
#include "common.h"

enum { ROWS = 70, WORDS = 1 << 14, GIANT = 3000 };

static uint64_t length(uint64_t r) { return r == 3 || r == ROWS - 1 ? GIANT : r * 7 % 150; }
static uint64_t begins(uint64_t r) { return r * 131 + r % 9; }

__attribute__((noinline)) static uint64_t sums(const uint64_t *a, uint64_t *to, uint64_t rows) {
  uint64_t all = 0;
#pragma asyncmem num_task(48)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    uint64_t sum = r, least = ~0ull, bits = 0, odd = 1, both = ~0ull;
    int64_t most = INT64_MIN;
    uint64_t first = begins(r), end = first + length(r);
#pragma asyncmem
    for (uint64_t e = first; e < end; ++e) {
      uint64_t value = a[e];
      sum -= value;
      least = value < least ? value : least;
      most = (int64_t)value > most ? (int64_t)value : most;
      bits ^= value;
      odd *= value | 1;
      both &= value | 0xffff;
    }
    to[r] = sum + least * 3 + (uint64_t)most * 5 + bits * 7 + odd * 11 + both + first;
    all += sum;
  }
  return all;
}

// What a search does: places that only one iteration of both loops writes, a list, counters that many update.
__attribute__((noinline)) static uint64_t search(const uint32_t *keys, uint64_t *seen, uint64_t *list, uint64_t *counters) {
  uint64_t tail = 0;
#pragma asyncmem num_task(100) shared_var(tail)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(keys);
    __builtin_is_remote(seen);
    __builtin_is_remote(list);
    __builtin_is_remote(counters);
    uint64_t first = begins(r), end = first + length(r), mask = keys[r] & 7;
#pragma asyncmem
    for (uint64_t e = first; e < end; ++e) {
      uint64_t key = keys[e];
      counters[key & 63] += e;
      if ((key & 7) != mask) {
        seen[r * (uint64_t)GIANT + e - first] = key;
        list[tail++] = key * r;
      }
    }
  }
  uint64_t sum = tail;
  for (uint64_t k = 0; k < tail; ++k)
    sum += list[k];
  return sum;
}

// Downwards, by pointer, with a narrow counter and one of another step; what is written lies in sequence, too.
__attribute__((noinline)) static void forms(const uint64_t *a, uint64_t *own, uint64_t *to) {
#pragma asyncmem num_task(16)
  for (uint32_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(own);
    __builtin_is_remote(to);
    uint64_t rest = a[r] % 1000;
    uint32_t weight = r;
    int n = (int)length(r);
#pragma asyncmem
    for (int k = n - 1; k >= 0; --k, weight += 3)
      own[r * (uint64_t)GIANT + (uint32_t)k] += a[(uint32_t)k + rest] * weight;
    const uint64_t *p = a + rest, *last = p + (n & ~3);
    uint64_t sum = 0;
    for (; p != last; p += 4)
      sum += *p;
    to[r] = sum + rest;
  }
}

__attribute__((noinline)) static uint64_t levels(const uint64_t *a, uint64_t *to, uint64_t rows, uint64_t columns) {
  uint64_t count = 0;
#pragma asyncmem num_task(64)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
#pragma asyncmem
    for (uint64_t c = 0; c < columns; ++c) {
      uint64_t sum = 0;
      for (uint64_t k = 0; k < c % 5; ++k)
        sum += a[(r * 331 + c * 17 + k) & (WORDS - 1)];
      if (sum % 3)
        ++count;
      to[r * columns + c] = sum;
    }
  }
  return count;
}

// The marked loop counts down, the inner one's length depends on that. Its iterations update words in which only those of one row
// meet.
__attribute__((noinline)) static void triangle(const uint64_t *a, uint64_t *counts, uint64_t n) {
#pragma asyncmem num_task(24)
  for (uint64_t i = n; i > 0; --i) {
    __builtin_is_remote(a);
    __builtin_is_remote(counts);
#pragma asyncmem
    for (uint64_t j = 0; j < i * 3; ++j)
      counts[i * 2 + (a[j] & 1)] += a[(a[j] + i) & (WORDS - 1)];
  }
}

// All rows are of one length, so nothing around a row asks whether it has elements: its sum is used behind it as it is.
__attribute__((noinline)) static uint64_t dense(const uint64_t *a, uint64_t *to, uint64_t rows) {
  uint64_t all = 0;
#pragma asyncmem num_task(32)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    uint64_t sum = r;
#pragma asyncmem
    for (uint64_t e = 0; e < 200; ++e)
      sum += a[r * 200 + e] >> 3;
    to[r] = sum < 1000 ? 7 : sum * 5;
    all ^= sum;
  }
  return all;
}

// Where counters of an inner loop begin, and by what they advance, depends on a marked loop that counts down.
__attribute__((noinline)) static void windows(const uint64_t *a, uint64_t *to, uint64_t n, uint64_t length) {
#pragma asyncmem num_task(16)
  for (uint64_t i = n; i > 0; --i) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
#pragma asyncmem
    for (uint64_t j = i * 150; j < i * 150 + 150; ++j)
      to[j] = a[j & (WORDS - 1)] + j;
  }
#pragma asyncmem num_task(16)
  for (uint64_t i = n; i > 0; --i) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    uint64_t weight = 7;
#pragma asyncmem
    for (uint64_t j = 0; j < length; ++j, weight += i * 3)
      to[i * length + j] += a[weight & (WORDS - 1)] * weight;
  }
}

// distinct_update() is about iterations of the marked loop: those of a row meet in these words all the same. No task keeps a line of
// them.
__attribute__((noinline)) static void distinct(const uint64_t *a, uint64_t *counts, uint64_t rows, uint64_t length) {
#pragma asyncmem num_task(24) distinct_update(counts)
  for (uint64_t i = 0; i < rows; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(counts);
#pragma asyncmem
    for (uint64_t j = 0; j < length; ++j) {
      uint64_t before = counts[i * 2 + (j & 1)];
      counts[i * 2 + (j & 1)] = before + a[j + i];
    }
  }
#pragma asyncmem num_task(24) distinct_update(counts)
  for (uint64_t i = 0; i < rows; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(counts);
#pragma asyncmem
    for (uint64_t j = 0; j < length; ++j)
      counts[i * 2 + (a[j] & 1)] += a[j + i];
  }
}

// Each iteration of the inner loop has an array of its own, part of whose addresses are the same in all of them.
__attribute__((noinline)) static void scratch(const uint64_t *a, uint64_t *to, uint64_t rows) {
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
#pragma asyncmem
    for (uint64_t k = 0; k < 300; ++k) {
      uint64_t own[4] = {r, k, 2, 3};
      own[a[r * 50 + k] & 3] += k;
      uint64_t other = a[(k * 17 + r) & (WORDS - 1)];
      to[r * 300 + k] = own[r & 3] + other * own[other & 3];
    }
  }
}

// The sum says how often a later loop repeats, whose loads are requested in strips.
__attribute__((noinline)) static void lengths(const uint64_t *a, uint64_t *to, uint64_t rows) {
#pragma asyncmem num_task(48)
  for (uint64_t r = 0; r < rows; ++r) {
    __builtin_is_remote(a);
    __builtin_is_remote(to);
    uint64_t bits = r, sum = 0, k = 0;
#pragma asyncmem
    for (uint64_t e = 0; e < 1000; ++e)
      bits ^= a[e * (r + 1) * 37 % WORDS] >> 58;
    do
      sum += a[k * 37 % WORDS];
    while (++k != bits + 1);
    to[r] = sum + bits;
  }
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *to = remote_words(WORDS), *list = remote_words(WORDS * 2), *counters = remote_words(64);
  uint64_t *seen = remote_words(ROWS * GIANT);
  uint32_t *keys = remote_alloc(WORDS * sizeof(uint32_t));
  for (unsigned i = 0; i < WORDS; ++i)
    keys[i] = (uint32_t)mix(i * 3);
  for (uint64_t rows = 0; rows <= ROWS; rows += rows < 5 ? 1 : 13)
    printf("sums %lx\n", (unsigned long)sums(a, to, rows));
  printf("sums %lx\n", (unsigned long)sums(a, to, ROWS));
  print_digest("sums", to, WORDS * sizeof *to);
  printf("search %lx\n", (unsigned long)search(keys, seen, list, counters));
  print_digest("search", counters, 64 * sizeof *counters);
  print_digest("seen", seen, ROWS * GIANT * sizeof *seen);
  forms(a, seen, to);
  print_digest("forms", to, WORDS * sizeof *to);
  print_digest("own", seen, ROWS * GIANT * sizeof *seen);
  for (uint64_t rows = 0; rows < 4; ++rows)
    for (uint64_t columns = 0; columns < 3000; columns = columns * 5 + 1)
      printf("levels %lx\n", (unsigned long)levels(a, to, rows, columns));
  print_digest("levels", to, WORDS * sizeof *to);
  for (uint64_t n = 1; n < 120; n = n * 3 + 10)
    triangle(a, to, n);
  print_digest("triangle", to, WORDS * sizeof *to);
  for (uint64_t rows = 1; rows < 80; rows *= 3)
    printf("dense %lx\n", (unsigned long)dense(a, to, rows));
  print_digest("dense", to, WORDS * sizeof *to);
  windows(a, to, 60, 130);
  print_digest("windows", to, WORDS * sizeof *to);
  for (uint64_t rows = 1; rows < 5; ++rows)
    distinct(a, to, rows, 500);
  print_digest("distinct", to, WORDS * sizeof *to);
  scratch(a, to, 40);
  print_digest("scratch", to, WORDS * sizeof *to);
  lengths(a, to, 40);
  print_digest("lengths", to, WORDS * sizeof *to);
  return 0;
}
