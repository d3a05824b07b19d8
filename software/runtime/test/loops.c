// SPDX-License-Identifier: Apache-2.0
//
// What NH-G sustains on data in L1D: instructions a cycle of an integer loop (four loads and four additions, an increment and a branch a turn: two ALUs
// and two load pipes allow 4), and fused multiply-adds a cycle of a dot product (two loads each, so one a cycle at most). Prints a table.
//   make -C software/runtime $PWD/build/runtime/test/loops.elf && make run ELF=build/runtime/test/loops.elf
#include <stdint.h>
#include <stdio.h>

#include "cycles.h"
#include "host.h"

enum { Words = 1024, Turns = 16 };

static uint64_t words[Words];
static double left[Words], right[Words];

static uint64_t sum(void) {
  uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  const uint64_t *at = words;
  __asm__ volatile(".balign 32\n"
                   "1: ld t0, 0(%0)\n"
                   "   ld t1, 8(%0)\n"
                   "   ld t2, 16(%0)\n"
                   "   ld t3, 24(%0)\n"
                   "   add %1, %1, t0\n"
                   "   add %2, %2, t1\n"
                   "   add %3, %3, t2\n"
                   "   add %4, %4, t3\n"
                   "   addi %0, %0, 32\n"
                   "   bne %0, %5, 1b\n"
                   : "+r"(at), "+r"(s0), "+r"(s1), "+r"(s2), "+r"(s3)
                   : "r"(words + Words)
                   : "t0", "t1", "t2", "t3", "memory");
  return s0 + s1 + s2 + s3;
}

static double dot(void) {
  double s[8] = {0};
  __asm__ volatile("" ::: "memory"); // computed anew each time
  for (unsigned i = 0; i < Words; i += 8)
#pragma clang loop unroll(full)
    for (unsigned k = 0; k < 8; k++)
      s[k] += left[i + k] * right[i + k]; // contracted to fmadd.d
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

static void show(const char *name, uint64_t done, uint64_t spent) {
  const unsigned hundredths = (unsigned)((100 * done + spent / 2) / spent);
  printf("%-36s %3u.%02u\n", name, hundredths / 100, hundredths % 100);
}

int main(void) {
  for (unsigned i = 0; i < Words; i++) {
    words[i] = i;
    left[i] = i % 7;
    right[i] = i % 5;
  }
  uint64_t total = sum();
  double product = dot();
  host_roi_begin();
  const uint64_t begin = cycles();
  for (unsigned i = 0; i < Turns; i++)
    total += sum();
  const uint64_t middle = cycles();
  for (unsigned i = 0; i < Turns; i++)
    product += dot();
  const uint64_t end = cycles();
  host_roi_end();
  show("integer loop, instructions a cycle", (uint64_t)Turns * Words / 4 * 10, middle - begin);
  show("dot product, FMA a cycle", (uint64_t)Turns * Words, end - middle);
  double expected = 0;
  for (unsigned i = 0; i < Words; i++)
    expected += (double)(i % 7) * (double)(i % 5);
  return total == (Turns + 1) * ((uint64_t)Words * (Words - 1) / 2) && product == (Turns + 1) * expected ? 0 : 1;
}
