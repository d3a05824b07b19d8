// SPDX-License-Identifier: Apache-2.0
//
// Core cycles a 64-byte line of writing on NH-G: every word of lines that L1D holds, that L2 holds, and that no cache holds (local memory, and far memory
// at the configured latency); then the same with four lines written in turn, and one word of every line. Prints a table.
//   make -C software/runtime $PWD/build/runtime/test/sequential_writes.elf && make run ELF=build/runtime/test/sequential_writes.elf LAT=100
#include <stdint.h>
#include <stdio.h>

#include "cycles.h"
#include "host.h"

enum { LineBytes = 64, LineWords = LineBytes / 8, Streams = 4, Fit = 256, Level2 = 2048, Lines = 8192 };

// Nothing else of this program is there.
static uint64_t *local_unused = (uint64_t *)(NHG_LOCAL_BASE + NHG_LOCAL_SIZE / 2);
static uint64_t *far_unused = (uint64_t *)NHG_FAR_BASE;

static void every_word(uint64_t *to, unsigned lines) {
#pragma clang loop unroll_count(8)
  for (unsigned word = 0; word < lines * LineWords; word++)
    *(volatile uint64_t *)&to[word] = lines;
}

static void four_streams(uint64_t *to, unsigned lines) {
  uint64_t *const at[Streams] = {to, to + lines / 4 * LineWords, to + lines / 2 * LineWords,
                                 to + lines / 4 * 3 * LineWords};
#pragma clang loop unroll_count(8)
  for (unsigned word = 0; word < lines / Streams * LineWords; word++)
    for (unsigned s = 0; s < Streams; s++)
      *(volatile uint64_t *)&at[s][word] = lines;
}

static void every_line(uint64_t *to, unsigned lines) {
#pragma clang loop unroll_count(8)
  for (unsigned line = 0; line < lines; line++)
    *(volatile uint64_t *)&to[line * LineWords] = lines;
}

static const struct {
  const char *name;
  void (*run)(uint64_t *to, unsigned lines);
} patterns[] = {{"every word", every_word}, {"four streams", four_streams}, {"every line", every_line}};

// Cycles a line, times ten, of writing `lines` lines `times` times.
static unsigned measure(unsigned p, uint64_t *to, unsigned lines, unsigned times) {
  const uint64_t begin = cycles();
  for (unsigned i = 0; i < times; i++)
    patterns[p].run(to, lines);
  return (unsigned)(((cycles() - begin) * 10 + lines * times / 2) / (lines * times));
}

int main(void) {
  printf("%-14s %8s %8s %8s %8s\n", "cycles a line", "L1D", "L2", "local", "far");
  host_roi_begin();
  for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
    measure(p, local_unused, Fit, 2); // into L1D
    const unsigned first = measure(p, local_unused, Fit, 16);
    measure(p, local_unused, Level2, 1);
    const unsigned second = measure(p, local_unused, Level2, 4);
    const unsigned local = measure(p, local_unused += Level2 * LineWords, Lines, 1);
    const unsigned far = measure(p, far_unused, Lines, 1);
    local_unused += Lines * LineWords;
    far_unused += Lines * LineWords;
    printf("%-14s %6u.%u %6u.%u %6u.%u %6u.%u\n", patterns[p].name, first / 10, first % 10, second / 10, second % 10,
           local / 10, local % 10, far / 10, far % 10);
  }
  host_roi_end();
}
