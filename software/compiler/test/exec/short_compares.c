// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// memcmp of a constant length up to a cache line, at every alignment of both sides, within a page and across its end, with bytes that differ at every place.
#include "common.h"
#include <string.h>

enum { PAGE = 4096, AROUND = 72, COUNT = 2 * AROUND };

static uint64_t sign(int x) { return (uint64_t)((x > 0) - (x < 0) + 1); }

// Iteration i compares what begins i bytes behind the first places.
#define COMPARE(length) \
  __attribute__((noinline)) static uint64_t compare_##length(const unsigned char *far, const unsigned char *local, uint64_t n) { \
    uint64_t sum = 0; \
    _Pragma("asyncmem num_task(16) reduction(+ : sum)") for (uint64_t i = 0; i < n; ++i) { \
      __builtin_is_remote(far); \
      sum += (i + 1) * (3 * sign(memcmp(far + i, local + i, length)) + (memcmp(far + i, local + i, length) == 0)); \
      sum += (i + 7) * sign(memcmp(local + i, far + i, length)); \
    } \
    return sum; \
  }
COMPARE(1)
COMPARE(2)
COMPARE(5)
COMPARE(8)
COMPARE(13)
COMPARE(16)
COMPARE(33)
COMPARE(64)

// Aligned to four bytes where eight are needed, and a side that is the body's own.
struct entry {
  uint32_t size;
  char key[16];
};

__attribute__((noinline)) static uint64_t compare_keys(const struct entry *entries, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(entries);
    char wanted[16] = "key number ";
    wanted[12] = (char)('a' + i % 5);
    sum += (i + 1) * sign(memcmp(entries[i * 7 % n].key, wanted, 16));
  }
  return sum;
}

int main(void) {
  unsigned char *room = remote_alloc(3 * PAGE), *page = room + (-(uintptr_t)room & (PAGE - 1)), *far = page + PAGE - AROUND;
  static unsigned char local[COUNT + AROUND + 8];
  uint64_t sums[9] = {0};
  // Of each place the iterations see every distance; places stand for the alignments of `own`.
  for (uint64_t place = 0; place < COUNT; place += 17) {
    unsigned char *own = local + place % 8;
    for (uint64_t k = 0; k < COUNT + AROUND; ++k)
      own[k] = far[k] = (unsigned char)mix(k);
    own[place] ^= 0x80 >> (place & 7);
    sums[0] = sums[0] * 3 + compare_1(far, own, COUNT);
    sums[1] = sums[1] * 3 + compare_2(far, own, COUNT);
    sums[2] = sums[2] * 3 + compare_5(far, own, COUNT);
    sums[3] = sums[3] * 3 + compare_8(far, own, COUNT);
    sums[4] = sums[4] * 3 + compare_13(far, own, COUNT);
    sums[5] = sums[5] * 3 + compare_16(far, own, COUNT);
    sums[6] = sums[6] * 3 + compare_33(far, own, COUNT);
    sums[7] = sums[7] * 3 + compare_64(far, own, COUNT);
  }
  struct entry *entries = (struct entry *)page;
  for (uint64_t i = 0; i < COUNT; ++i) {
    entries[i] = (struct entry){(uint32_t)i, "key number "};
    entries[i].key[12] = (char)('a' + i % 3);
  }
  sums[8] = compare_keys(entries, COUNT);
  print_digest("sums", sums, sizeof sums);
  return 0;
}
