// SPDX-License-Identifier: Apache-2.0
// As broken.c: in callees, inner loops and blocks, in spite of clauses, atomics and locks, in other forms of loops.
// RUN: %check_promises %s %t
#include "data.h"

// Callees.
static inline void put_inline(uint64_t *to, uint64_t value) { *to = value; } // earlier written, later writes
static void callee_inline(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    put_inline(&own[twice[i]], x[i]);
  }
}

__attribute__((noinline)) static void put(uint64_t *to, uint64_t value) { *to = value; } // earlier written, later writes
static void callee(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    put(&own[twice[i]], x[i]);
  }
}

__attribute__((noinline)) static uint64_t look(const uint64_t *place) { return *place * 3; } // later reads
static void callee_reads(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (k[i] == OF_FIRST)
      own[twice[i]] = value; // earlier written
    else
      own[N + i] = look(&own[twice[i]]); // or here, where the optimizer has moved the load: later reads
  }
}

static void mark_list(struct node *n, uint64_t value) {
  if (n == NULL)
    return;
  n->value = value; // earlier written, later writes
  mark_list(n->next, value + 1);
  n->key ^= value;
}
static void recursion(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; i += 5) {
    struct node *list = lists[i];
    __builtin_is_remote(list);
    mark_list(list, i);
  }
}

// Deeper than the levels of a task.
static uint64_t dig(uint64_t *to, uint64_t depth) {
  __builtin_is_remote(x);
  uint64_t found = x[depth] + (depth ? dig(to, depth - 1) * 3 : 0);
  if (!depth)
    *to = found; // earlier written, later writes
  return found ^ depth;
}
static void deep_recursion(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    own[N + i] = dig(&own[twice[i]], 90 + x[i] % 4);
  }
}

// Inner loops.
static void rows(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 0; j < 4 + (k[i] == OF_FIRST); ++j)
      own[4 * k[i] + j] = x[i] + j; // earlier written, later writes
  }
}

static void scratch(void) {
  uint64_t words[8] = {0};
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 0; j < 8; ++j)
      words[(j + k[i]) % 8] = x[i] * j; // earlier written, later writes: private
    uint64_t sum = 0;
    for (unsigned j = 0; j < 8; ++j)
      sum = sum * 3 + words[(j + k[i] / 2) % 8];
    own[i] = sum;
  }
}

// Blocks.
static void block_copy(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t words[4] = {x[i], 1, 2, 3};
    memcpy(&own[3 * i], words, 8 * (x[i] % 4 == 3 && i == FIRST + 1 ? 4 : 3)); // earlier written, later writes
  }
}

static void block_fill(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    memset((char *)own + 24 * i, (int)x[i], i == FIRST ? 25 : 24); // earlier written, later writes
  }
}

static void structure(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(nodes);
    struct node n = {NULL, x[i], i};
    nodes[twice[i]] = n; // earlier written, later writes
  }
}

// Through data.
static void through_pointers(void) {
  lists[SECOND] = lists[FIRST];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    struct node *n = lists[i];
    __builtin_is_remote(n);
    n->value = n->key; // earlier written, later writes
  }
}

static void swap(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    uint64_t a = y[twice[i]], b = y[N + i]; // later reads
    y[twice[i]] = b;                        // earlier written
    y[N + i] = a;
  }
}

// Clauses, atomics and locks that do not cover it.
static void distinct(void) {
#pragma asyncmem num_task(16) distinct_update(y)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    y[twice[i]] += i; // earlier written, later writes: distinct_update
  }
}

__attribute__((noinline)) static void lose(uint64_t *table, const uint64_t *other) {
#pragma asyncmem num_task(16) lossy_update(table)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(table);
    __builtin_is_remote(other);
    table[k[i % 8]] ^= i;   // later writes
    own[i] = other[i / 50]; // earlier read
  }
}
static void lossy_and_plain(void) { lose(z, z + k[4]); }

static void atomic_and_plain(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    if (k[i] == OF_FIRST)
      own[i] = y[twice[i]]; // earlier read
    else
      __atomic_fetch_add(&y[twice[i]], 1, __ATOMIC_RELAXED); // later writes: atomic
  }
}

static void update_and_plain(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    if (k[i] == OF_SECOND)
      own[i] = y[twice[FIRST + zeros[i]]]; // later reads: atomic
    else
      y[twice[i]] += i; // earlier written
  }
}

static void update_and_write(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    if (k[i] == OF_FIRST)
      own[twice[FIRST + zeros[i]]] = value; // earlier written
    else
      own[twice[i]] ^= value; // later reads or writes
  }
}

static void two_locks(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    asyncmem_lock(&locks[i]);
    y[twice[i]] = y[twice[i]] * 3 + i; // earlier written, later writes: lock
    asyncmem_unlock(&locks[i]);
  }
}

static void lock_and_none(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    asyncmem_lock(&locks[0]);
    y[twice[i]] = i; // earlier written
    asyncmem_unlock(&locks[0]);
    if (k[i] == OF_SECOND)
      own[i] = y[k[FIRST]]; // later reads
  }
}

// Other forms of loops.
static void flag(void) {
  unsigned i = 0;
  uint64_t last;
#pragma asyncmem num_task(16)
  do {
    __builtin_is_remote(x);
    own[twice[i]] = x[i]; // earlier written, later writes
    last = ++i;
  } while (last < N);
}

static void several_exits(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0;; ++i) {
    if (i == N)
      break;
    __builtin_is_remote(x);
    if (i * i == 20000)
      return;
    own[twice[i]] = x[i]; // earlier written, later writes
  }
}

static void switched(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    switch (k[i] % 4) {
    case 2:
      own[twice[i]] = value; // earlier written, later writes
      break;
    case 1:
      own[k[i]] = value * 3;
      break;
    default:
      own[k[i]] = 7;
    }
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(callee_inline), LOOP(callee), LOOP(callee_reads), LOOP(recursion), LOOP(deep_recursion), LOOP(rows),
    LOOP(scratch), LOOP(block_copy), LOOP(block_fill), LOOP(structure), LOOP(through_pointers), LOOP(swap),
    LOOP(distinct), LOOP(lossy_and_plain), LOOP(atomic_and_plain), LOOP(update_and_plain),
    LOOP(update_and_write), LOOP(two_locks), LOOP(lock_and_none), LOOP(flag), LOOP(several_exits),
    LOOP(switched),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
