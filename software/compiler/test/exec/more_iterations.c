// SPDX-License-Identifier: Apache-2.0
// Loops that update exclusively get more iterations while their tasks run: with any step, of 32 bits, counted by a product, with the counter used
// behind the loop, until a limit that is not met exactly, with sums, rows and carried stores beside the updates. On the golden model with a
// choice that asks often.
// RUN: %same_results %s %t
// RUN: %clang %includes -O2 %s -o %t.serial %runtime && %t.serial > %t.expected
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=700 -O2 -c %s -o %t.o && %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 3 | diff %t.expected -
// RUN: %clang %plugin %riscv %sched=getfin -fplugin-arg-asyncmem-adapt=700 -O2 -c %s -o %t.o && %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 4 | diff %t.expected -
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=300 -O1 -c %s -o %t.o && %link_riscv %t.o -o %t.elf
// RUN: %iss --elf %t.elf --adversarial 5 | diff %t.expected -
#include "common.h"

enum { WORDS = 64, LONGEST = 3000, ROW = 4 };
#define FACTOR 0x9e3779b97f4a7c15u

typedef uint64_t loop(uint64_t *, const uint64_t *, uint64_t, uint64_t);

__attribute__((noinline)) static uint64_t by_three(uint64_t *x, const uint64_t *k, uint64_t first, uint64_t end) {
  uint64_t i = first;
#pragma asyncmem num_task(16)
  for (; i < end; i += 3) {
    __builtin_is_remote(x);
    x[k[i % LONGEST] % WORDS] += i;
  }
  return i;
}

__attribute__((noinline)) static uint64_t product(uint64_t *x, const uint64_t *k, uint64_t first, uint64_t end) {
  (void)k;
  uint64_t i = first;
#pragma asyncmem num_task(16)
  for (; i != end; ++i) {
    __builtin_is_remote(x);
    x[(i * FACTOR + 11) >> 58] ^= 5;
  }
  return i;
}

__attribute__((noinline)) static uint64_t narrow(uint64_t *x, const uint64_t *k, uint64_t first, uint64_t end) {
  (void)k;
  uint32_t i = (uint32_t)first, n = (uint32_t)end;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(x);
    x[(i + 1) * 0x85ebca6bu >> 26]++;
  } while (++i != n);
  return i;
}

__attribute__((noinline)) static uint64_t with_sum(uint64_t *x, const uint64_t *k, uint64_t first, uint64_t end) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64)
  for (int64_t i = (int64_t)first; i < (int64_t)end; ++i) {
    __builtin_is_remote(x);
    uint64_t *word = &x[k[(uint64_t)i % LONGEST] % WORDS];
    sum += (uint64_t)i * 3;
    *word += 1;
  }
  return sum;
}

__attribute__((noinline)) static uint64_t rows(uint64_t *x, const uint64_t *k, uint64_t first, uint64_t end) {
  uint64_t done = 0;
#pragma asyncmem num_task(16)
  for (uint64_t i = first; i < end; ++i) {
    __builtin_is_remote(x);
    for (int r = 0; r < ROW; ++r)
      x[mix(k[i % LONGEST] + (uint64_t)r) % WORDS]++;
    ++done;
  }
  return done;
}

// Left in two places.
__attribute__((noinline)) static uint64_t until_found(uint64_t *restrict x, const uint64_t *restrict k, uint64_t first, uint64_t end) {
  uint64_t i = first;
#pragma asyncmem num_task(16)
  for (; i < end; ++i) {
    if (k[i % LONGEST] == 7)
      break;
    __builtin_is_remote(x);
    x[k[i % LONGEST] % WORDS]++;
  }
  return i;
}

// Runs of a few iterations, and one that goes on, share what is known of the loop.
static void print(const char *name, loop *run) {
  uint64_t *x = remote_words(WORDS);
  static uint64_t k[LONGEST], ends[24];
  for (uint64_t i = 0; i < LONGEST; ++i)
    k[i] = mix(i * 13);
  k[LONGEST - 1] = 7;
  for (uint64_t r = 0; r < 24; ++r)
    ends[r] = run(x, k, r * 5 + 1, r * 5 + (r % 6 == 5 ? LONGEST : 3 + r * 9));
  print_digest(name, x, WORDS * sizeof *x);
  print_digest("ends", ends, sizeof ends);
}

int main(void) {
  print("by_three", by_three);
  print("product", product);
  print("narrow", narrow);
  print("with_sum", with_sum);
  print("rows", rows);
  print("until_found", until_found);
  return 0;
}
