// SPDX-License-Identifier: Apache-2.0
// How many cache lines one core of this x86 machine can bring from memory, whatever the program does: lines at random
// addresses that no other line decides, so that only the core's own limits count (fill buffers, page walks, memory).
// Prints nanoseconds a line, the fastest of several passes over 2 GiB: a bound for every variant of a workload.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LOG2_BYTES = 31, LINE_BYTES = 64, PASSES = 5, KINDS = 4, CHASED_SHARE = 16 };
static const uint64_t LINES = (UINT64_C(1) << LOG2_BYTES) / LINE_BYTES;
static const uint64_t ACCESSES = UINT64_C(1) << 24;

static double now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

// Xorshift (Marsaglia, "Xorshift RNGs", 2003, shifts 13, 7, 17): a few cycles a number.
static uint64_t advance(uint64_t x) {
  x ^= x << 13;
  x ^= x >> 7;
  return x ^ (x << 17);
}

static uint64_t *line(char *memory, uint64_t number) {
  return (uint64_t *)(memory + (number & (LINES - 1)) * LINE_BYTES);
}

static double prefetch_ns(char *memory, uint64_t x) {
  double began = now_ns();
  for (uint64_t i = 0; i < ACCESSES; ++i)
    __builtin_prefetch(line(memory, x = advance(x)), 0, 3);
  return (now_ns() - began) / ACCESSES;
}

static double load_ns(char *memory, uint64_t x) {
  uint64_t sum = 0;
  double began = now_ns();
  for (uint64_t i = 0; i < ACCESSES; ++i)
    sum += *line(memory, x = advance(x));
  double each = (now_ns() - began) / ACCESSES;
  __asm__ volatile("" ::"r"(sum));
  return each;
}

static double update_ns(char *memory, uint64_t x) {
  double began = now_ns();
  for (uint64_t i = 0; i < ACCESSES; ++i) {
    x = advance(x);
    *line(memory, x) ^= x;
  }
  return (now_ns() - began) / ACCESSES;
}

// The address of each line depends on the line before it: latency.
static double chase_ns(char *memory, uint64_t x) {
  double began = now_ns();
  for (uint64_t i = 0; i < ACCESSES / CHASED_SHARE; ++i)
    x = advance(x + *line(memory, x));
  double each = (now_ns() - began) / (ACCESSES / CHASED_SHARE);
  __asm__ volatile("" ::"r"(x));
  return each;
}

int main(void) {
  static double (*const measure[KINDS])(char *, uint64_t) = {prefetch_ns, load_ns, update_ns, chase_ns};
  static const char *const names[KINDS] = {"prefetched", "loaded", "updated", "one after the other"};
  size_t bytes = LINES * LINE_BYTES;
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    fprintf(stderr, "linerate: no %zu bytes of memory: run it on a machine with more\n", bytes);
    return 1;
  }
  madvise(memory, bytes, MADV_HUGEPAGE);
  memset(memory, 1, bytes);
  double best[KINDS] = {0};
  for (int pass = 0; pass < PASSES; ++pass)
    for (int kind = 0; kind < KINDS; ++kind) {
      double each = measure[kind](memory, UINT64_C(88172645463325252) + pass);
      if (pass == 0 || each < best[kind])
        best[kind] = each;
    }
  for (int kind = 0; kind < KINDS; ++kind)
    printf("%-20s %6.2f ns a line\n", names[kind], best[kind]);
  return 0;
}
