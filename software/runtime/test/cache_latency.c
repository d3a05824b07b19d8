// SPDX-License-Identifier: Apache-2.0
//
// Core cycles of a dependent load on NH-G, by where its line is: pointer chases through as many random lines as fit L1D, L2, L3, or (far) none of them;
// and of a load when 16 independent chases of far memory go on at once. The prefetcher finds nothing in random lines. Prints a table.
//   make -C software/runtime $PWD/build/runtime/test/cache_latency.elf && make run ELF=build/runtime/test/cache_latency.elf LAT=100
#include <stdint.h>
#include <stdio.h>

#include "cycles.h"
#include "host.h"

enum { LineBytes = 64, Chains = 16, PageBytes = 4096, Loads = 1024 };

struct line {
  struct line *next;
  uint64_t unused[LineBytes / sizeof(uint64_t) - 1];
};

// Nothing else of this program is there.
static struct line *const local_unused = (struct line *)(NHG_LOCAL_BASE + NHG_LOCAL_SIZE / 2);

static struct line *volatile result; // keeps the last pointers
static volatile uint64_t unused_sum;

// One cycle through all lines in random order (Sattolo's algorithm).
static void link_lines(struct line *lines, unsigned count) {
  uint64_t random = 1;
  for (unsigned i = 0; i < count; i++)
    lines[i].next = &lines[i];
  for (unsigned i = count - 1; i > 0; i--) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const unsigned other = (unsigned)((random >> 33) % i);
    struct line *const swapped = lines[i].next;
    lines[i].next = lines[other].next;
    lines[other].next = swapped;
  }
}

static uint64_t chase(struct line *from, unsigned loads) {
  const struct line *at = from;
  const uint64_t begin = cycles();
  for (unsigned i = 0; i < loads; i++)
    at = at->next;
  const uint64_t spent = cycles() - begin;
  result = (struct line *)at;
  return spent;
}

// Through memory that no cache holds and that reads as zero, a page a step, so that the prefetcher finds nothing either. Each load needs the one before it
// in its chain: two instructions a load. `chains` is a constant where this is inlined.
static inline uint64_t chase_unused(const char *page, unsigned chains, unsigned loads) {
  uint64_t loaded[Chains] = {0};
  const uint64_t begin = cycles();
  for (unsigned i = 0; i < loads; i += chains, page += PageBytes) {
#pragma clang loop unroll(full)
    for (unsigned c = 0; c < chains; c++)
      loaded[c] = *(const uint64_t *)(page + loaded[c] + 2 * LineBytes * c);
  }
  const uint64_t spent = cycles() - begin;
  for (unsigned c = 0; c < chains; c++)
    unused_sum += loaded[c];
  return spent;
}

static void print(const char *where, uint64_t spent, unsigned loads) {
  const unsigned tenths = (unsigned)((spent * 10 + loads / 2) / loads);
  printf("%-38s %6u.%u\n", where, tenths / 10, tenths % 10);
}

static const struct {
  const char *name;
  unsigned lines, loads;
} levels[] = {
    {"L1D: 8 KiB of lines", 128, 2048}, {"L2: 128 KiB of lines", 2048, 4096}, {"L3: 768 KiB of lines", 12288, 8192}};

int main(void) {
  printf("cycles a load\n");
  host_roi_begin();
  for (unsigned l = 0; l < sizeof levels / sizeof *levels; l++) {
    link_lines(local_unused, levels[l].lines);
    chase(local_unused, levels[l].loads); // what fits into a cache is in it now
    print(levels[l].name, chase(local_unused, levels[l].loads), levels[l].loads);
  }
  print("local memory", chase_unused((const char *)(local_unused + levels[2].lines), 1, Loads), Loads);
  const char *const far_unused = (const char *)NHG_FAR_BASE;
  print("far memory", chase_unused(far_unused, 1, Loads), Loads);
  print("far memory, 16 independent chases", chase_unused(far_unused + Loads * PageBytes, Chains, Loads * Chains),
        Loads * Chains);
  host_roi_end();
}
