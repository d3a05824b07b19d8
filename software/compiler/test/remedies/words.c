// SPDX-License-Identifier: Apache-2.0
// Loops that only tasks of the AMU cannot run, and with REMEDY what the refusal proposes instead.
// ONLY: riscv
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNT = 200, WORDS = 1 << 10 };

#ifdef REMEDY
#define IF_CURED(text) text
#define IF_REFUSED(text)
#else
#define IF_CURED(text)
#define IF_REFUSED(text) text
#endif

static uint64_t local[WORDS];

__attribute__((noinline)) static void interleaved(uint64_t *a, uint64_t *b, const uint32_t *at) {
  // REFUSED: updates of a remote word may meet those of other iterations, and two such updates, or one and a lock, are interleaved; make them atomic, or name the pointer in distinct_update() or lossy_update()
#pragma asyncmem num_task(8) IF_CURED(distinct_update(a, b))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    uint64_t first = a[at[i]], second = b[at[i]];
    a[at[i]] = first + second;
    b[at[i]] = second ^ first;
  }
}

__attribute__((noinline)) static void some_paths(uint64_t *a, const uint32_t *at) {
  // REFUSED: updates of a remote word may meet those of other iterations, and not every path leads from one load to one store; make them atomic, or name the pointer in distinct_update() or lossy_update()
#pragma asyncmem num_task(8) IF_CURED(distinct_update(a))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    uint64_t v = i;
    if (at[i] & 1)
      v = a[at[i]] * 3;
    a[at[i]] = v + 1;
  }
}

uint64_t increment(uint64_t *a, uint64_t depth) {
  if (!depth)
    return 1;
  uint64_t below = increment(a + 3, depth - 1);
  a[depth] += below;
  return below + increment(a + 5, depth - 1);
}

__attribute__((noinline)) static uint64_t recursive_update(uint64_t *a) {
  uint64_t sum = 0;
  // REFUSED: updates of a remote word may meet those of other iterations, and a recursive callee makes them without suspension at its depth limit; make them atomic, or name the pointer in distinct_update() or lossy_update()
#pragma asyncmem num_task(8) IF_CURED(distinct_update(a))
  for (uint64_t i = 0; i < 8; ++i) {
    __builtin_is_remote(a);
    sum += increment(a + 100 * i, i & 3);
  }
  return sum;
}

uint64_t counted(uint64_t *a, uint64_t depth) {
  if (!depth)
    return 1;
  uint64_t below = counted(a + 3, depth - 1);
  __atomic_fetch_add(a, depth, __ATOMIC_RELAXED);
  return below + counted(a + 5, depth - 1);
}

__attribute__((noinline)) static uint64_t recursive_atomic(uint64_t *a) {
  uint64_t sum = 0;
  // REFUSED: it calls 'counted', which is recursive: it contains atomic operations, which are not atomic against tasks of the AMU at its depth limit; write it as a loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < 16; ++i) {
    __builtin_is_remote(a);
#ifdef REMEDY
    for (uint64_t path = 0; path < 1u << (i & 3); ++path) {
      // Left for a zero, right for a one; a node is that of the first of the paths through it.
      uint64_t *at = a, depth = i & 3;
      for (uint64_t bit = 0; depth; ++bit, --depth) {
        if (!(path >> bit))
          __atomic_fetch_add(at, depth, __ATOMIC_RELAXED);
        at += path >> bit & 1 ? 5 : 3;
      }
      ++sum;
    }
#else
    sum += counted(a, i & 3);
#endif
  }
  return sum;
}

static uint64_t descends(uint64_t *a, uint64_t depth) {
  if (!depth)
    return a[0];
  uint64_t sum = 0;
#ifndef REMEDY
#pragma asyncmem num_task(4)
#endif
  for (uint64_t i = 0; i < depth; ++i) {
    __builtin_is_remote(a);
    sum += a[(a[i] + i) % 64];
  }
  local[depth] |= sum;
  return sum + descends(a, depth - 1) * 3 + descends(a + 1, depth - 1);
}

__attribute__((noinline)) static uint64_t recursive_callee_with_tasks(uint64_t *a) {
  uint64_t sum = 0;
  // REFUSED: it calls 'descends', which is recursive: a loop in it has tasks of its own, which must not run at its depth limit; remove that loop's pragma
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < 40; ++i) {
    __builtin_is_remote(a);
    sum += descends(a + i, i & 3);
  }
  return sum;
}

static uint64_t sum_of(const uint64_t *a) {
  uint64_t sum = 0;
  for (int i = 0; i < WORDS; ++i)
    sum = sum * 31 + a[i];
  return sum;
}

__attribute__((weak, pure)) uint64_t replaced(const uint64_t *a, uint64_t at);

__attribute__((noinline)) static uint64_t callee_with_tasks(const uint64_t *a) {
  uint64_t sum = 0;
  // REFUSED: it calls 'replaced', where a loop has tasks of its own; remove that loop's pragma, as the AMU serves one loop at a time
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    sum += replaced(local, a[i]) + a[i * 3];
  }
  return sum;
}

uint64_t replaced(const uint64_t *a, uint64_t at) {
  uint64_t sum = 0;
#ifndef REMEDY
#pragma asyncmem num_task(8)
#endif
  for (uint64_t i = 0; i < 9; ++i) {
    __builtin_is_remote(a);
    sum += a[(a[i] + at) % WORDS];
  }
  return sum;
}

int main(void) {
  uint64_t *a = remote_alloc(WORDS * sizeof *a), *b = remote_alloc(WORDS * sizeof *b);
  static uint32_t at[COUNT];
  for (uint64_t i = 0; i < WORDS; ++i)
    a[i] = local[i] = b[WORDS - 1 - i] = i * 0x9e3779b97f4a7c15u >> 40;
  for (uint32_t i = 0; i < COUNT; ++i)
    at[i] = i * 5;
  interleaved(a, b, at);
  some_paths(a, at);
  uint64_t sum = recursive_update(b) + sum_of(b);
  sum = sum * 31 + recursive_atomic(a);
  sum = sum * 31 + sum_of(a);
  sum = sum * 31 + callee_with_tasks(a);
  sum = sum * 31 + recursive_callee_with_tasks(a) + local[1] + local[2] + local[3];
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
  return 0;
}
