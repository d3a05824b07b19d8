// SPDX-License-Identifier: Apache-2.0
// Loops refused for what only tasks of the AMU cannot do: no task may come between the load and the store of an update, nor into an atomic operation.
// CONFIGURATIONS: getfin, bafin, bafin O1
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t interleaved(uint64_t *a, uint64_t *b, const uint32_t *at, int n) {
  OUTSIDE
  // REFUSED: updates of a remote word may meet those of other iterations, and two such updates, or one and a lock, are interleaved; make them atomic, or name the pointer in distinct_update() or lossy_update()
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    uint64_t first = a[at[i]], second = b[at[i] & 7];
    a[at[i]] = first + second;
    b[at[i] & 7] = second ^ first;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t some_paths(uint64_t *a, const uint32_t *at, int n) {
  OUTSIDE
  // REFUSED: updates of a remote word may meet those of other iterations, and not every path leads from one load to one store
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t v = (uint64_t)i;
    if (at[i] & 1)
      v = a[at[i]] * 3;
    a[at[i]] = v + 1;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

void increment(uint64_t *a, uint64_t depth) {
  if (!depth)
    return;
  increment(a + 3, depth - 1);
  ++a[depth];
  increment(a + 5, depth - 1);
}
uint64_t recursive_update(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: updates of a remote word may meet those of other iterations, and a recursive callee makes them without suspension at its depth limit
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    increment(a, (uint64_t)i & 3);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t counted(uint64_t *a, uint64_t depth) {
  if (!depth)
    return 1;
  uint64_t below = counted(a + 3, depth - 1);
  __atomic_fetch_add(a, below, __ATOMIC_RELAXED);
  return below * counted(a + 5, depth - 1);
}
uint64_t recursive_atomic(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it calls 'counted', which is recursive: it contains atomic operations, which are not atomic against tasks of the AMU at its depth limit
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE(counted(a, (uint64_t)i & 3))
  }
  return RESULT;
}

uint64_t mixed_atomics(uint64_t *a, uint64_t *local, const uint32_t *at, int n) {
  OUTSIDE
  // REFUSED: it changes local memory, which an atomic operation of other iterations may reach, too, by a remote pointer
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t *word = at[i] & 1 ? &a[at[i]] : &local[at[i]];
    __atomic_fetch_add(word, 3, __ATOMIC_RELAXED);
    local[i & 3] += 5;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t descends(uint64_t *a, uint64_t depth);
__attribute__((weak, pure)) uint64_t replaced(const uint64_t *a, uint64_t at);
extern volatile uint64_t stop;

uint64_t recursive_callee_with_tasks(uint64_t *a, const uint32_t *at, int n) {
  OUTSIDE
  // REFUSED: it calls 'descends', which is recursive: a loop in it has tasks of its own, which must not run at its depth limit; remove that loop's pragma
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE(descends(a, at[i]))
  }
  return RESULT;
}

uint64_t callee_with_tasks(const uint64_t *a, const uint64_t *b, int n) {
  OUTSIDE
  // REFUSED: it calls 'replaced', where a loop has tasks of its own; remove that loop's pragma, as the AMU serves one loop at a time
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    INSIDE(replaced(b, a[i]))
  }
  return RESULT;
}

uint64_t descends(uint64_t *a, uint64_t depth) {
  if (!depth)
    return a[depth];
  OUTSIDE
  // REFUSED: it contains a volatile access; move it out of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (uint64_t i = 0; i < depth; ++i) {
    __builtin_is_remote(a);
    INSIDE(a[a[i]] + stop)
  }
  return RESULT + descends(a, depth - 1) * descends(a + 1, depth - 1);
}

uint64_t replaced(const uint64_t *a, uint64_t at) {
  OUTSIDE
  // REFUSED: it contains a volatile access; move it out of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (uint64_t i = 0; i < 9; ++i) {
    __builtin_is_remote(a);
    INSIDE(a[a[i] + at] + stop)
  }
  return RESULT;
}
