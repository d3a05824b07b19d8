// SPDX-License-Identifier: Apache-2.0
// Loops that keep their promise, also where iterations meet in ways that the compiler makes right: the checker must say nothing.
// RUN: %check_promises %s %t
#include "data.h"

static void permutation(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    y[k[i]] = x[i];
    own[k[i]] += x[k[i]];
  }
}

// Several runs of a loop may meet, and so may different loops.
static void runs(void) {
  for (unsigned run = 0; run < 3; ++run) {
#pragma asyncmem num_task(16)
    for (unsigned i = 0; i < N; ++i) {
      __builtin_is_remote(x);
      own[k[(i + run) % N]] = x[i] + own[k[(i + run) % N]];
    }
#pragma asyncmem num_task(16)
    for (unsigned i = 0; i < N; ++i) {
      __builtin_is_remote(y);
      own[N + i] = own[k[(i + 1) % N]] ^ y[i];
    }
  }
}

// Iterations share words, not bytes.
__attribute__((noinline)) static void narrow(uint8_t *bytes, uint16_t *shorts, uint32_t *words, const uint64_t *index) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    bytes[index[i]] = (uint8_t)value;
    shorts[index[i]] = (uint16_t)(value + bytes[index[i]]);
    words[index[i]] = (uint32_t)(value ^ shorts[index[i]]);
  }
}
static void parts_of_words(void) { narrow(far1, (uint16_t *)(own + N), far4, k); }

struct __attribute__((packed)) odd {
  uint8_t kind;
  uint64_t where;
};
__attribute__((noinline)) static void pack(struct odd *rows, const uint64_t *index) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    rows[index[i]].where = x[i];
    rows[index[i]].kind = (uint8_t)i;
  }
}
static void misaligned(void) { pack((struct odd *)own, k); }

// Two iterations write different fields of one word.
static void bits(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(flags);
    uint32_t value = (uint32_t)x[i];
    if (i % 2) {
      near_flags[k[i / 2]].kind = value & 0x1fff;
      flags[k[i / 2]].kind = value & 0x1fff;
    } else {
      near_flags[k[i / 2]].size = value & 0xffff;
      flags[k[i / 2]].size = value & 0xffff;
    }
  }
}

static void bits_of_three(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(flags);
    uint32_t value = (uint32_t)x[i];
    if (i % 3 == 0) {
      near_flags[k[i / 3]].kind = value & 0x1fff;
      flags[k[i / 3]].kind = value & 0x1fff;
    } else if (i % 3 == 1) {
      near_flags[k[i / 3]].size = value & 0xffff;
      flags[k[i / 3]].size = value & 0xffff;
    } else {
      near_flags[k[i / 3]].state = value & 7;
      flags[k[i / 3]].state = value & 7;
    }
  }
}

// The same places, updated with nothing between read and write.
static void histogram(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    ++own[x[i] % 7];
    own[8 + x[i] % 5] ^= i;
    own[16 + x[i] % 5] |= x[i];
    uint64_t *most = &own[24 + x[i] % 3];
    *most = *most > i ? *most : i;
    if (own[30 + x[i] % 3] < i)
      own[30 + x[i] % 3] = i;
    own[N + N * (x[i] % 3) + own[40 + x[i] % 3]++] = i;
  }
}

static uint64_t total;
static void reductions(void) {
  uint64_t sum = 0, least = ~0ull, bits = 0;
  double real = 0;
#pragma asyncmem num_task(16) reduction(+ : sum, real) reduction(min : least)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    sum += x[i];
    least = x[i] < least ? x[i] : least;
    bits |= x[k[i]];
    real += (double)(x[i] % 16);
    total += x[i] * 3;
  }
  own[0] = sum + least * 3 + bits * 5 + (uint64_t)real + total;
}

static void listed(void) {
  uint64_t tail = 0;
#pragma asyncmem num_task(16) shared_var(tail)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    if (x[i] % 3 == 0)
      own[tail++] = x[i];
  }
  own[N] = tail;
}

static void private_scratch(void) {
  uint64_t words[8], last = 0;
#pragma asyncmem num_task(16) private(words) lastprivate(last)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 0; j < 8; ++j)
      words[(j + k[i]) % 8] = x[i] * j;
    uint64_t sum = 0;
    for (unsigned j = 0; j < 8; ++j)
      sum = sum * 3 + words[(j + k[i] / 2) % 8];
    own[i] = sum;
    last = sum + x[i];
  }
  own[N] = last;
}

static void own_scratch(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t words[8];
    for (unsigned j = 0; j < 8; ++j)
      words[(j + k[i]) % 8] = x[i] * j;
    uint64_t sum = 0;
    for (unsigned j = 0; j < 8; ++j)
      sum = sum * 3 + words[(j + k[i] / 2) % 8];
    own[i] = sum;
  }
}

// Clauses, atomics, exclusive updates and locks.
static void distinct(void) {
#pragma asyncmem num_task(16) distinct_update(y)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    y[k[i]] += i;
  }
}

static void lossy(void) {
  uint64_t *table = y;
#pragma asyncmem num_task(16) lossy_update(table)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(table);
    if (table[twice[i] % 9] != i)
      table[twice[i] % 9] = i;
  }
}

static void atomics(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    __atomic_fetch_add(&y[i % 7], i, __ATOMIC_RELAXED);
    uint64_t expected = __atomic_load_n(&y[N + i % 3], __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&y[N + i % 3], &expected, expected * 3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
}

static void exclusive(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    ++y[twice[i] % 8];
  }
}

static void exclusive_bound(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(y);
    uint64_t value = x[i] % 50;
    if (value < y[twice[i] % 8])
      y[twice[i] % 8] = value;
  }
}

static void exclusive_and_atomic(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    if (i % 2)
      __atomic_fetch_add(&y[twice[i] % 8], i, __ATOMIC_RELAXED);
    else
      y[twice[i] % 8] += i;
  }
}

static void locked(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    uint64_t *lock = &locks[i % 8];
    asyncmem_lock(lock);
    y[8 * (i % 8)] = y[8 * (i % 8)] * 3 + 1;
    own[i % 8] = y[8 * (i % 8)];
    asyncmem_unlock(lock);
  }
}

static void nested_locks(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(y);
    asyncmem_lock(&locks[0]);
    own[0] = own[0] * 3 + y[i];
    asyncmem_lock(&locks[1 + i % 2]);
    own[1 + i % 2] = own[1 + i % 2] * 5 + y[i];
    asyncmem_unlock(&locks[1 + i % 2]);
    asyncmem_unlock(&locks[0]);
  }
}

// Before the first remote access tasks run in the order of iterations.
static void in_order(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    own[k[i] % 8] = own[twice[i] % 8] * 3 + i;
    uint64_t before = own[k[i] % 8];
    __builtin_is_remote(x);
    own[N + i] = x[i] + before;
  }
}

// Callees: their frames lie at the same place in each iteration.
__attribute__((noinline)) static void fill(uint64_t *words, uint64_t from) {
  for (unsigned j = 0; j < 8; ++j)
    words[(from + j) % 8] = from * j;
}
__attribute__((noinline)) static uint64_t fold(const uint64_t *words, uint64_t from) {
  uint64_t sum = 0;
  for (unsigned j = 0; j < 8; ++j)
    sum = sum * 3 + words[(from / 2 + j) % 8];
  return sum;
}
__attribute__((noinline, pure)) static uint64_t digest(uint64_t from) {
  uint64_t words[8];
  fill(words, from);
  return fold(words, from);
}
static uint64_t descend(uint64_t depth, uint64_t from) {
  __builtin_is_remote(x);
  if (!depth)
    return x[from % N];
  return descend(depth - 1, from * 3) + x[depth % N];
}
static void frames(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t words[8];
    fill(words, x[i]);
    own[i] = fold(words, x[i]) + descend(80 + i % 7, i) + digest(x[i]);
  }
}

static void mark_list(struct node *n, uint64_t value) {
  if (n == NULL)
    return;
  n->value = value;
  mark_list(n->next, value + 1);
  n->key ^= value;
}
static void recursion(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; i += 10) {
    struct node *list = lists[i];
    __builtin_is_remote(list);
    mark_list(list, i);
  }
}

static uint64_t tree(uint64_t *to, uint64_t depth) {
  __builtin_is_remote(x);
  uint64_t found = x[depth] + (depth ? tree(to, depth - 1) * 3 : 0);
  if (!depth)
    *to += found;
  return found ^ depth;
}
static void deep_recursion(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    own[N + i] = tree(&own[i % 9], 90 + x[i] % 4);
  }
}

// What the heap gives is new, though another iteration had it.
static void heap(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t *words = malloc(8 * (1 + k[i] % 8));
    for (unsigned j = 0; j <= k[i] % 8; ++j)
      words[j] = x[i] * j;
    own[i] = words[k[i] % 8];
    free(words);
    uint32_t *more = calloc(4, 1 + k[i] % 8);
    more[k[i] % 4] = (uint32_t)x[i];
    own[N + i] = more[k[i] % 4];
    free(more);
  }
}

static void rows(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    for (unsigned j = 0; j < 1 + x[i] % 4; ++j)
      own[4 * k[i] + j] = x[i] + j;
  }
}

static void blocks(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(nodes);
    uint64_t words[4] = {x[i], 1, 2, 3};
    memcpy(&own[4 * k[i]], words, 8 * (x[i] % 4));
    memset((char *)(own + 4 * N) + 7 * k[i], (int)x[i], x[i] % 8);
    struct node n = {NULL, x[i], i};
    nodes[k[i]] = n;
  }
}

// One loop in another: the outer one is checked.
static void nested(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; i += 10) {
    for (unsigned j = i; j < i + 10; ++j) {
      __builtin_is_remote(x);
      own[k[j]] = x[j] * 3 + own[N + j];
    }
  }
}

static void early_end(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0;; ++i) {
    if (i == N)
      break;
    __builtin_is_remote(x);
    if (i * i == 1600)
      return;
    own[k[i]] = x[i];
  }
}

static void empty(void) {
  unsigned count = (unsigned)zeros[N - 1];
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < count; ++i) {
    __builtin_is_remote(x);
    own[k[i] / 2] = x[i];
  }
}

// Readers hold one of two locks, and the writer both.
static void both_locks(void) {
#pragma asyncmem num_task(16)
  for (unsigned i = 0; i < N; ++i) {
    __builtin_is_remote(x);
    uint64_t value = x[i];
    asyncmem_lock(&locks[i % 2]);
    if (i % 50 == 24) {
      asyncmem_lock(&locks[1]);
      own[zeros[i]] += value;
      asyncmem_unlock(&locks[1]);
    } else {
      own[N + i] = own[zeros[i]] / (N * N);
    }
    asyncmem_unlock(&locks[i % 2]);
  }
}

#define LOOP(name) {#name, name}
static const struct loop loops[] = {
    LOOP(both_locks),
    LOOP(permutation),     LOOP(runs),    LOOP(parts_of_words), LOOP(misaligned), LOOP(bits),           LOOP(bits_of_three), LOOP(histogram),
    LOOP(reductions),      LOOP(listed),  LOOP(private_scratch), LOOP(own_scratch), LOOP(distinct),     LOOP(lossy),
    LOOP(atomics),         LOOP(exclusive), LOOP(exclusive_bound), LOOP(exclusive_and_atomic), LOOP(locked), LOOP(nested_locks),
    LOOP(in_order),        LOOP(frames),  LOOP(recursion),      LOOP(deep_recursion), LOOP(heap),       LOOP(rows),
    LOOP(blocks),          LOOP(nested),  LOOP(early_end),      LOOP(empty),
};

int main(int argc, char **argv) { return run_loops(loops, sizeof loops / sizeof *loops, argc, argv); }
