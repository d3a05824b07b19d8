// SPDX-License-Identifier: Apache-2.0
// Loops that other options or attributes make tasks of, or a type with a width of its own.
// FLAGS: -lm
// REMEDY FLAGS: -fno-math-errno
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 200, WORDS = 1 << 10 };

static uint64_t out[COUNT];
static double roots[COUNT];
static struct words {
  uint64_t word[8];
} blocks[8];
volatile struct words seen;

__attribute__((noinline)) static void sets_errno(const double *t) {
  // REFUSED only x86: it calls 'sqrt', which may set errno; compile with -fno-math-errno
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    roots[i] = sqrt(t[i * 3]);
  }
}

#ifdef REMEDY
#define OTHER
#elif defined __riscv
#define OTHER __attribute__((target("arch=+zbc")))
#else
#define OTHER __attribute__((target("avx2")))
#endif
OTHER __attribute__((noinline)) static void for_another_processor(uint64_t *place, uint64_t by) { *place = *place * 5 + by; }

__attribute__((noinline)) static void callee_for_another(const uint64_t *t) {
  // REFUSED: it calls 'for_another_processor', which is compiled for another processor or with other checks; give both functions the same attributes
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    for_another_processor(&out[i], t[i * 3]);
  }
}

#ifdef REMEDY
typedef uint64_t odd;
#else
typedef unsigned _BitInt(37) odd;
#endif
__attribute__((noinline)) static void odd_width(const odd *t) {
  // REFUSED: a remote access has no fixed number of bytes; use a type that has
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] += (uint64_t)t[i * 3];
  }
}

__attribute__((noinline)) static void volatile_block(const uint64_t *t) {
#ifdef REMEDY
  uint64_t last = 0;
#endif
  // REFUSED: it contains a volatile or atomic access; move it out of the loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
#ifdef REMEDY
    last |= t[i] & 7;
#else
    seen = blocks[t[i] & 7];
#endif
    out[i] ^= t[i * 3];
  }
#ifdef REMEDY
  seen = blocks[last];
#endif
}

__attribute__((noinline)) static uint64_t computed_exit(const uint64_t *t, const unsigned char *code, uint64_t n) {
  uint64_t i;
#ifndef REMEDY
  static void *const to[] = {&&add, &&multiply, &&leave};
#endif
  // REFUSED: it is left in a way that cannot be redirected; use a switch
#pragma asyncmem num_task(8)
  for (i = 0; i < n; ++i) {
    __builtin_is_remote(t);
#ifdef REMEDY
    switch (code[i]) {
    case 0:
      goto add;
    case 1:
      goto multiply;
    default:
      goto leave;
    }
#else
    goto *to[code[i]];
#endif
  add:
    out[i] += t[i * 3];
    continue;
  multiply:
    out[i] *= t[i * 3];
  }
leave:
  return out[7] + i;
}

int main(void) {
  uint64_t *t = remote_alloc(WORDS * sizeof *t);
  double *d = remote_alloc(WORDS * sizeof *d);
  odd *o = remote_alloc(WORDS * sizeof *o);
  for (uint64_t i = 0; i < WORDS; ++i) {
    t[i] = i * 0x9e3779b97f4a7c15u >> 40;
    o[i] = (odd)t[i];
    d[i] = (double)i;
  }
  static volatile uint64_t count = COUNT;
  static unsigned char code[COUNT];
  for (int i = 0; i < COUNT; ++i)
    code[i] = i == 150 ? 2 : i & 1;
  sets_errno(d);
  callee_for_another(t);
  odd_width(o);
  volatile_block(t);
  uint64_t sum = computed_exit(t, code, count) + seen.word[1];
  for (int i = 0; i < COUNT; ++i)
    sum = sum * 31 + out[i] + (uint64_t)roots[i];
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
  return 0;
}
