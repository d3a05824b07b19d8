// SPDX-License-Identifier: Apache-2.0
// Which updates of remote words take a lock: not those whose addresses surely differ from iteration to iteration, nor
// those a clause allows. Prefetching tasks need one only if they wait between load and store.
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off %riscv %sched=bafin -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=AMU %s
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off %riscv %sched=static -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=STATIC %s
#include "asyncmem.h"

// AMU-LABEL: define{{.*}} @histogram(
// AMU: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @histogram(
// STATIC-NOT: atomicrmw xchg
void histogram(uint64_t *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[k[i]]++;
  }
}

// AMU-LABEL: define{{.*}} @lossy(
// AMU-NOT: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @lossy(
// STATIC-NOT: atomicrmw xchg
void lossy(uint64_t *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4) lossy_update(x)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[k[i]]++;
  }
}

// Through a global, a field and a cursor.
struct node {
  struct node *next;
  uint64_t count, *words;
};
struct node *all;
// AMU-LABEL: define{{.*}} @distinct(
// AMU-NOT: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @distinct(
void distinct(const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4) distinct_update(all)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(all);
    all[k[i]].count += i;
  }
}
// AMU-LABEL: define{{.*}} @cursor(
// AMU-NOT: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @cursor(
void cursor(struct node *restrict head) {
  struct node *p;
#pragma asyncmem num_task(4) distinct_update(p)
  for (p = head; p; p = p->next) {
    __builtin_is_remote(p);
    p->count ^= 1;
  }
}

// A row for each iteration, every second word, from the end.
// AMU-LABEL: define{{.*}} @advancing(
// AMU-NOT: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @advancing(
void advancing(uint64_t *x, uint64_t n, uint64_t length) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    for (uint64_t j = 0; j < length; ++j)
      x[i * length + j] *= 3;
  }
#pragma asyncmem num_task(4)
  for (uint64_t i = n; i-- > 0;) {
    __builtin_is_remote(x);
    x[2 * i] += i;
  }
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    for (int j = 0; j < 8; ++j)
      x[i * 8 + (uint64_t)j] ^= 5;
  }
}

// Rows that may overlap, a factor that may be 0.
// AMU-LABEL: define{{.*}} @overlapping(
// AMU: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @overlapping(
void overlapping(uint64_t *x, uint64_t n, uint64_t length) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    for (uint64_t j = 0; j < length; ++j)
      x[i + j] += 3;
  }
}
// AMU-LABEL: define{{.*}} @factor(
// AMU: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @factor(
void factor(uint64_t *x, uint64_t n, uint64_t distance) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[i * distance] += 3;
  }
}
// Addresses that advance, of words that other iterations update, too.
// AMU-LABEL: define{{.*}} @meeting(
// AMU: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @meeting(
void meeting(uint64_t *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[i] += 7;
    x[k[i]] += 9;
  }
}
// AMU-LABEL: define{{.*}} @fields(
// AMU-NOT: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @fields(
struct pair {
  uint64_t a, b;
};
void fields(struct pair *pairs, uint64_t *other, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(pairs);
    __builtin_is_remote(other);
    pairs[i].a += 7;
    pairs[i].b += 9;
    other[i] ^= 3;
  }
}

// The load of `read` is a suspension; it stands between, as it needs what was loaded.
// AMU-LABEL: define{{.*}} @divided(
// AMU: CUSTOM_0, 6, 0, x0, $0, $1
// STATIC-LABEL: define{{.*}} @divided(
// STATIC: atomicrmw xchg
// STATIC: store atomic i64 0, ptr %{{.*}} release
void divided(uint64_t *x, const uint64_t *read, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    __builtin_is_remote(read);
    x[k[i]] += read[x[k[i]] & 63];
  }
}

// The program's own lock is enough.
// AMU-LABEL: define{{.*}} @locked(
// AMU-NOT: asyncmem.owners
// AMU-LABEL: define{{.*}} @only_written(
// AMU-NOT: CUSTOM_0, 6, 0, x0, $0, $1
void locked(uint64_t *x, const uint32_t *k, uint64_t *lock, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    asyncmem_lock(lock);
    x[k[i]]++;
    asyncmem_unlock(lock);
  }
}
void only_written(uint64_t *x, const uint32_t *k, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(x);
    x[k[i]] = i + x[k[i] + 8];
  }
}
