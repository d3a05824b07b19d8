// SPDX-License-Identifier: Apache-2.0
// What the body of a refused loop contains, and with REMEDY what the refusal proposes instead.
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 200, WORDS = 1 << 10 };

#ifdef REMEDY
#define IF_CURED(text) text
#define IF_REFUSED(text)
#else
#define IF_CURED(text)
#define IF_REFUSED(text) text
#endif

static uint64_t out[2 * COUNT], results[2 * COUNT];
volatile uint64_t device;

#ifdef REMEDY
__attribute__((noinline)) static void record(uint64_t i, uint64_t value) { results[i] = value; }
#else
void (*recorder)(uint64_t, uint64_t);
static void record_result(uint64_t i, uint64_t value) { results[i] = value; }
#define record(i, value) recorder(i, value)
#endif

__attribute__((noinline)) static void unknown_callee(const uint64_t *t) {
  // REFUSED: it calls through a pointer, whose effects are unknown; define it in this file
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    record(i, t[i * 5]);
  }
}

__attribute__((noinline)) static uint64_t assembler(const uint64_t *t) {
  uint64_t sum = 0;
  // REFUSED: it contains inline assembly; move it out of the loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    sum += t[i * 5];
    IF_REFUSED(__asm__ volatile("" ::: "memory");)
  }
  IF_CURED(__asm__ volatile("" ::: "memory");)
  return sum;
}

__attribute__((noinline)) static void volatile_access(const uint64_t *t) {
  uint64_t sum = 0;
  // REFUSED: it contains a volatile access; move it out of the loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_REFUSED(device = device + t[i * 5];)
    sum += t[i * 5];
  }
  IF_CURED(device = sum;)
}

__attribute__((noinline)) static void variable_array(const uint64_t *t, uint64_t length) {
  // REFUSED: it allocates stack memory of variable size; make it fixed
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    uint64_t places[IF_REFUSED(length) IF_CURED(16)];
    for (uint64_t k = 0; k < length; ++k)
      places[k] = i * k;
    out[i] = t[places[i % length] % WORDS];
  }
}

__attribute__((noinline)) static void computed_jump(const uint64_t *t) {
  #ifndef REMEDY
  static const void *const to[] = {&&even, &&odd};
#endif
  // REFUSED: it contains a computed jump or handles exceptions; use a switch, no exceptions
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    uint64_t value = t[i * 5];
#ifdef REMEDY
    switch (value & 1) {
    case 0:
      goto even;
    default:
      goto odd;
    }
#else
    goto *to[value & 1];
#endif
  even:
    out[i] = value + t[value % WORDS];
    continue;
  odd:
    out[i] = 3 * value;
  }
}

__attribute__((noinline)) static void much_memory(const uint64_t *t) {
  // REFUSED: the variables of the loop body need more than 4096 bytes for each task; use the heap
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_REFUSED(uint64_t many[WORDS];)
    IF_CURED(uint64_t *many = malloc(WORDS * sizeof *many);)
    for (uint64_t k = 0; k < WORDS; ++k)
      many[k] = i + k;
    out[i] = many[t[i * 5] % WORDS];
    IF_CURED(free(many);)
  }
}

static jmp_buf place;

__attribute__((noinline)) static void loop_of_its_own(const uint64_t *t) {
  IF_REFUSED(if (setjmp(place)) return;)
  // REFUSED: its function calls setjmp or the like; give the loop one of its own
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = t[t[i * 5] % WORDS];
  }
}

__attribute__((noinline)) static void one_place(const uint64_t *t, uint64_t length) {
  // REFUSED: iterations write the same place in memory, the order of iterations would show; give each its own
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = t[i * 5];
    IF_REFUSED(out[i + 1] = length;)
  }
  IF_CURED(out[COUNT] = length;)
}

__attribute__((noinline)) static void read_of_next(const uint64_t *t) {
  IF_CURED(memcpy(results, out, sizeof out);)
  // REFUSED: an iteration reads what another one writes, the order of iterations would show; read a copy
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = t[i * 5] + IF_REFUSED(out[i + 1]) IF_CURED(results[i + 1]);
  }
}

#ifdef REMEDY
static uint64_t depth(const uint64_t *t, uint64_t at, uint64_t *lock) {
  uint64_t found = 0;
  for (uint64_t factor = 1; at; at = t[at] % at, factor *= 3) {
    asyncmem_lock(lock);
    asyncmem_unlock(lock);
    found += factor;
  }
  return found;
}
#else
static uint64_t depth(const uint64_t *t, uint64_t at, uint64_t *lock) {
  if (!at)
    return 0;
  asyncmem_lock(lock);
  asyncmem_unlock(lock);
  return depth(t, t[at] % at, lock) * 3 + 1;
}
#endif

__attribute__((noinline)) static void recursive_callee(const uint64_t *t, uint64_t *lock) {
  // REFUSED: which is recursive: it takes locks; write it as a loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    out[i] = depth(t, t[i * 5] % WORDS, lock);
  }
}

__attribute__((noinline)) static void swapped_buffers(const uint64_t *t, uint64_t length) {
  // REFUSED: the address of a variable of the loop body is used where it cannot follow the task; use its value
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
#ifdef REMEDY
    uint64_t both[2][8] = {{0}};
    for (uint64_t m = 0; m < length; ++m)
      for (int k = 0; k < 8; ++k)
        both[~m & 1][k] = both[m & 1][7 - k] + t[(i * 8 + (uint64_t)k) * m % WORDS];
    out[i] = both[length & 1][3];
#else
    uint64_t first[8] = {0}, second[8], *old = first, *new = second;
    for (uint64_t m = 0; m < length; ++m) {
      for (int k = 0; k < 8; ++k)
        new[k] = old[7 - k] + t[(i * 8 + (uint64_t)k) * m % WORDS];
      uint64_t *swap = old;
      old = new;
      new = swap;
    }
    out[i] = old[3];
#endif
  }
}

static uint64_t sum_of(const uint64_t *words) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < 2 * COUNT; ++i)
    sum = sum * 31 + words[i];
  return sum;
}

int main(void) {
  IF_REFUSED(recorder = record_result;)
  uint64_t *t = remote_alloc(WORDS * sizeof *t), lock = 0;
  for (uint64_t i = 0; i < WORDS; ++i)
    t[i] = i * 0x9e3779b97f4a7c15u >> 40;
  static volatile uint64_t sixteen = 16;
  unknown_callee(t);
  uint64_t sum = sum_of(results) + assembler(t);
  volatile_access(t);
  sum = sum * 31 + device;
  void (*const loops[])(const uint64_t *) = {computed_jump, much_memory, loop_of_its_own, read_of_next};
  for (int i = 0; i < 4; ++i) {
    loops[i](t);
    sum = sum * 31 + sum_of(out);
  }
  variable_array(t, sixteen);
  sum = sum * 31 + sum_of(out);
  one_place(t, sixteen);
  sum = sum * 31 + sum_of(out);
  swapped_buffers(t, sixteen);
  sum = sum * 31 + sum_of(out);
  recursive_callee(t, &lock);
  printf("%lx\n", (unsigned long)(sum * 31 + sum_of(out) & 0xffffffff));
  return 0;
}
