// SPDX-License-Identifier: Apache-2.0
// Refused loops, and with REMEDY the same with what the refusal proposes.
// RUN: %check_remedies %s %t
#include <asyncmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 200, WORDS = 1 << 10 };

static uint64_t lock;
static uint64_t list[WORDS];
uint64_t flags;

#ifdef REMEDY
#define IF_CURED(text) text
#else
#define IF_CURED(text)
#endif
#define LOCK IF_CURED(asyncmem_lock(&lock);)
#define UNLOCK IF_CURED(asyncmem_unlock(&lock);)

static struct vector {
  uint64_t size, items[COUNT];
} vector;

__attribute__((noinline)) static void append(const uint64_t *t) {
  uint64_t tail = vector.size;
  // REFUSED: every iteration reads and writes the same variable, the order of iterations would show; if it may, use a local variable that shared_var() names
#pragma asyncmem num_task(8) IF_CURED(shared_var(tail))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    uint64_t item = t[t[i] % WORDS];
#ifdef REMEDY
    vector.items[tail++] = item;
#else
    vector.items[vector.size++] = item;
#endif
  }
  IF_CURED(vector.size = tail;)
}

struct list {
  uint64_t *items, size, room;
};

static void push(struct list *to, uint64_t item) {
  if (to->size == to->room)
    to->items = realloc(to->items, (to->room = 2 * to->room + 1) * 8);
  to->items[to->size++] = item;
}

__attribute__((noinline)) static void push_some(const uint64_t *t, struct list *to) {
  // REFUSED: every iteration reads and writes the same variable, the order of iterations would show; if it may, hold asyncmem_lock from the read to the write
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    if (t[t[i] % WORDS] & 1) {
      LOCK push(to, t[i]);
      UNLOCK
    }
  }
}

__attribute__((noinline)) static void keep_in_variable(const uint64_t *t) {
  // REFUSED: 'list' is read before and written after a remote access, other iterations may change it between; hold asyncmem_lock from the read to the write
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    LOCK uint64_t old = list[i % 7];
    list[i % 7] = old > t[i] ? old : t[i];
    UNLOCK
  }
}

__attribute__((noinline)) static uint64_t wait_for_others(const uint64_t *t, uint64_t *flag) {
  uint64_t sum = 0;
  // REFUSED: a loop in it may wait for another iteration without a remote access; use asyncmem_lock
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    IF_CURED(asyncmem_lock(flag);)
#ifndef REMEDY
    while (__atomic_exchange_n(flag, 1, __ATOMIC_ACQUIRE))
      ;
#endif
    sum += t[t[i] % WORDS];
    IF_CURED(asyncmem_unlock(flag);)
#ifndef REMEDY
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
#endif
  }
  return sum;
}

struct node {
  struct node *next;
  uint64_t value;
};

__attribute__((noinline)) static uint64_t follow(const uint64_t *t, struct node *first) {
  uint64_t sum = 0;
  // REFUSED: a loop in it follows pointers by ordered loads; mark them with __builtin_is_remote
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    const struct node *at = first;
    IF_CURED(__builtin_is_remote(at);)
    for (uint64_t k = t[i] % 50; at->next && at->value != k;)
      at = __atomic_load_n(&at->next, __ATOMIC_ACQUIRE);
    sum += at->value;
  }
  return sum;
}

__attribute__((noinline)) static double add_up(const double *t) {
  double sum = 0;
  // REFUSED: the value of 'sum' carried from one iteration to the next is read by other than commutative updates of itself; if iterations may come in any order, name it in shared_var(sum)
#pragma asyncmem num_task(8) IF_CURED(shared_var(sum))
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    sum += t[i * 3];
  }
  return sum;
}

__attribute__((noinline)) static void copy(const char *t, char *out, uint64_t length) {
  // REFUSED: it copies or fills a block of remote memory whose size is not known or above 256 bytes; use memcpy or a loop
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
#ifdef REMEDY
    memcpy(out + i * 16, t + i * 32, length);
#else
    memmove(out + i * 16, t + i * 32, length);
#endif
  }
}

__attribute__((noinline)) static void write_flag(const uint64_t *t) {
  // REFUSED: every iteration writes the same variable, the order of iterations would show; name it in private() or update it by a commutative operation
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
#ifdef REMEDY
    flags |= t[i] & 1;
#else
    if (t[i] & 1)
      flags = 1;
#endif
  }
}

__attribute__((noinline)) static void keep_pointer(const uint64_t *t, uint64_t *out, uint64_t length) {
  // REFUSED: a pointer into a variable of the loop body is kept while the task may wait; use an index
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(t);
    uint8_t key[24];
    for (uint64_t k = 0; k < 24; ++k)
      key[k] = (uint8_t)(i + k * length);
    uint64_t h = i;
#ifdef REMEDY
    for (uint64_t k = 0; k < length; ++k)
      h = h * 31 + t[(h + key[k]) % WORDS];
#else
    for (const uint8_t *at = key; at != key + length; ++at)
      h = h * 31 + t[(h + *at) % WORDS];
#endif
    out[i] = h;
  }
}

int main(void) {
  uint64_t *t = remote_alloc(WORDS * 8 + 64);
  double *d = remote_alloc(WORDS * 8);
  struct node *nodes = remote_alloc(50 * sizeof *nodes);
  static uint64_t flag;
  static char bytes[COUNT * 16];
  for (uint64_t i = 0; i < WORDS; ++i) {
    t[i] = i * 0x9e3779b97f4a7c15u >> 40;
    d[i] = (double)i;
  }
  for (uint64_t i = 0; i < 50; ++i)
    nodes[i] = (struct node){i < 49 ? &nodes[i + 1] : 0, i};
  append(t);
  uint64_t sum = vector.size;
  for (int i = 0; i < COUNT; ++i)
    sum += vector.items[i];
  keep_in_variable(t);
  for (int i = 0; i < 7; ++i)
    sum = sum * 31 + list[i];
  sum = sum * 31 + wait_for_others(t, &flag);
  sum = sum * 31 + follow(t, nodes);
  sum = sum * 31 + (uint64_t)add_up(d);
  static volatile uint64_t sixteen = 16;
  copy((const char *)t, bytes, sixteen);
  static uint64_t out[COUNT];
  keep_pointer(t, out, sixteen);
  for (int i = 0; i < COUNT; ++i)
    sum = sum * 31 + out[i];
  struct list some = {0, 0, 0};
  push_some(t, &some);
  for (uint64_t i = 0; i < some.size; ++i)
    sum += some.items[i];
  write_flag(t);
  for (int i = 0; i < COUNT; ++i)
    sum = sum * 31 + (uint8_t)bytes[i * 16 + 1];
  sum += flags;
  printf("%lx\n", (unsigned long)(sum & 0xffffffff));
  return 0;
}
