// SPDX-License-Identifier: Apache-2.0
//
// Core cycles a 64-byte line of reading memory that no cache holds, on NH-G: every word upwards and downwards, and one word of every line, of every
// third line and of lines in random order; local memory, and far memory at the configured latency. The first part of each run is also shown by itself:
// there the L2's prefetcher still learns. Prints a table.
//   make -C software/runtime $PWD/build/runtime/test/sequential_reads.elf && make run ELF=build/runtime/test/sequential_reads.elf LAT=100
#include <stdint.h>
#include <stdio.h>

#include "cycles.h"
#include "host.h"

enum { LineBytes = 64, LineWords = LineBytes / 8, Lines = 16384, FirstLines = Lines / 8 };

// Nothing else of this program is there.
static const uint64_t *local_unused = (const uint64_t *)(NHG_LOCAL_BASE + NHG_LOCAL_SIZE / 2);
static const uint64_t *far_unused = (const uint64_t *)NHG_FAR_BASE;

static volatile uint64_t result; // keeps the sums

static void every_word(const uint64_t *from, unsigned begin, unsigned end) {
  uint64_t sum = 0;
  for (unsigned word = begin * LineWords; word < end * LineWords; word++)
    sum += from[word];
  result = sum;
}

static void downwards(const uint64_t *from, unsigned begin, unsigned end) {
  uint64_t sum = 0;
  for (unsigned word = (Lines - begin) * LineWords; word-- > (Lines - end) * LineWords;)
    sum += from[word];
  result = sum;
}

static void every_line(const uint64_t *from, unsigned begin, unsigned end) {
  uint64_t sum = 0;
  for (unsigned line = begin; line < end; line++)
    sum += from[line * LineWords];
  result = sum;
}

static void every_third_line(const uint64_t *from, unsigned begin, unsigned end) {
  uint64_t sum = 0;
  for (unsigned line = begin; line < end; line++)
    sum += from[3 * line * LineWords];
  result = sum;
}

static void random_lines(const uint64_t *from, unsigned begin, unsigned end) {
  uint64_t sum = 0;
  uint32_t number = begin;
  for (unsigned line = begin; line < end; line++) {
    number = number * 1664525 + 1013904223;
    sum += from[(number >> 8) % Lines * LineWords];
  }
  result = sum;
}

static const struct {
  const char *name;
  void (*run)(const uint64_t *from, unsigned begin, unsigned end);
  unsigned span; // lines of memory for a line read
} patterns[] = {
    {"every word", every_word, 1},     {"every word, downwards", downwards, 1},
    {"every line", every_line, 1},     {"every third line", every_third_line, 3},
    {"random lines", random_lines, 1},
};

// Cycles a line, times ten: of the first part and of the rest.
struct rates {
  unsigned first, rest;
};

static unsigned per_line(uint64_t spent, unsigned lines) { return (unsigned)((spent * 10 + lines / 2) / lines); }

static struct rates measure(unsigned p, const uint64_t **unused) {
  const uint64_t *from = *unused;
  *unused += Lines * patterns[p].span * LineWords;
  const uint64_t begin = cycles();
  patterns[p].run(from, 0, FirstLines);
  const uint64_t middle = cycles();
  patterns[p].run(from, FirstLines, Lines);
  const uint64_t end = cycles();
  return (struct rates){per_line(middle - begin, FirstLines), per_line(end - middle, Lines - FirstLines)};
}

int main(void) {
  printf("%-22s %10s %10s %10s %10s\n", "cycles a line", "local", "at first", "far", "at first");
  host_roi_begin();
  for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
    const struct rates near = measure(p, &local_unused), far = measure(p, &far_unused);
    printf("%-22s %8u.%u %8u.%u %8u.%u %8u.%u\n", patterns[p].name, near.rest / 10, near.rest % 10, near.first / 10,
           near.first % 10, far.rest / 10, far.rest % 10, far.first / 10, far.first % 10);
  }
  host_roi_end();
}
