// SPDX-License-Identifier: Apache-2.0
// Fields that blocks of an iteration read one after the other: one request, and comparisons where it is not sure that they are there.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o /dev/null -Rpass=asyncmem -Rpass-analysis=asyncmem 2>%t.remarks
// RUN: FileCheck %s < %t.remarks
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o /dev/null -Rpass-analysis=asyncmem 2>%t.off
// RUN: FileCheck --check-prefix=OFF %s < %t.off
#include "asyncmem.h"

// OFF-NOT: kept for fields

struct bucket {
  uint32_t count;
  struct {
    uint32_t key, payload;
  } tuples[2];
  struct bucket *next;
};

// Tuples may lie behind the array, as far as the compiler knows; `next` surely lies in the record and never waits.
// CHECK: remark: tasks rely on no promise
// CHECK: remark: a task waits here: 1 remote accesses in 1 requests of 32 bytes together, kept for fields that are read later
// CHECK: [[#@LINE+10]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 4 bytes together, unless they were among such
// CHECK: [[#@LINE+10]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 4 bytes together, unless they were among such
// CHECK: remark: loop split
uint64_t probe(const struct bucket *buckets, const uint32_t *restrict where, uint32_t key, int n) {
  uint64_t found = 0;
#pragma asyncmem num_task(64) reduction(+ : found)
  for (int i = 0; i < n; ++i)
    for (const struct bucket *b = &buckets[where[i]]; b; b = b->next) {
      __builtin_is_remote(b);
      for (uint32_t k = 0; k < b->count; ++k)
        if (b->tuples[k].key == key)
          found += b->tuples[k].payload;
    }
  return found;
}

struct node {
  uint64_t key, value;
  struct node *next;
  uint64_t more[5];
};

// The record may lie in two pages, and neither field is read on every way: the place in the page decides.
// CHECK: remark: tasks rely on no promise
// CHECK: waits here: 1 remote accesses in 1 requests of 32 bytes together, kept for fields that are read later
// CHECK: waits here: 1 remote accesses in 1 requests of 8 bytes together, unless they were among such
// CHECK: waits here: 1 remote accesses in 1 requests of 8 bytes together, unless they were among such
// CHECK: remark: loop split
uint64_t search(struct node *const *restrict lists, uint64_t key, int n) {
  uint64_t found = 0;
#pragma asyncmem num_task(64) reduction(+ : found)
  for (int i = 0; i < n; ++i)
    for (const struct node *x = lists[i]; x; x = x->next) {
      __builtin_is_remote(x);
      if (x->key == key) {
        found += x->value;
        break;
      }
    }
  return found;
}

// A record that lies in one line needs no comparison, and no field waits.
// CHECK: remark: tasks rely on no promise
// CHECK: waits here: 1 remote accesses in 1 requests of 32 bytes together, kept for fields that are read later
// CHECK-NOT: waits here
// CHECK: remark: loop split
struct __attribute__((aligned(64))) aligned {
  uint64_t key, value, other;
};

uint64_t choose(const struct aligned *x, const uint32_t *restrict where, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    const struct aligned *a = &x[where[i]];
    if (a->key & 1)
      sum += a->value * a->key;
    else if (a->key & 2)
      sum += a->other;
  }
  return sum;
}

// What is read in between may have been written in between; tasks hand each other data under a lock; 511 slots of 64 bytes are all
// there is; a field that is hardly ever read is worth no longer request.
// CHECK-NOT: kept for fields
void written(struct node *x, uint64_t *other, const uint32_t *restrict where, int n) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    uint64_t key = x[where[i]].key;
    other[i] = key;
    if (key & 1)
      other[i + n] = x[where[i]].value;
  }
}

void locked(struct node *x, uint64_t *lock, uint64_t *restrict sums, const uint32_t *restrict where, int n) {
#pragma asyncmem num_task(64)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    uint64_t key = x[where[i]].key;
    asyncmem_lock(lock);
    if (key & 1)
      sums[0] += x[where[i]].value;
    asyncmem_unlock(lock);
  }
}

uint64_t many(const struct node *x, const uint32_t *restrict where, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(511) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    const struct node *a = &x[where[i]];
    if (a->key & 1)
      sum += a->more[3];
    else if (a[1].key & 2)
      sum += a->more[4];
  }
  return sum;
}

uint64_t rarely(const struct node *x, const uint32_t *restrict where, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    const struct node *a = &x[where[i]];
    if (__builtin_expect(a->key == 0, 0))
      sum += a->value;
  }
  return sum;
}
