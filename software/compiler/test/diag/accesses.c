// SPDX-License-Identifier: Apache-2.0
// Each access of a body, with its place, whether it is remote, and why. A load is warned of if its address comes out of remote data, but its object is not
// known.
// RUN: %clang %plugin -O2 -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang %plugin -O2 -Wno-pass-failed -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: {{warning|remark}}
#include "asyncmem.h"

struct item {
  const uint64_t *rates, *words;
};
struct table {
  struct item *items;
};
static const uint64_t primes[4] = {2, 3, 5, 7};

// CHECK-DAG: :[[#@LINE+8]]:45: remark: remote: marked in line [[#@LINE+7]] [-Rpass=asyncmem]
// CHECK-DAG: :[[#@LINE+8]]:34: remark: remote: its pointer comes out of remote memory
// CHECK-DAG: :[[#@LINE+9]]:22: remark: near: a local object
// CHECK-DAG: :[[#@LINE+8]]:14: remark: near: __builtin_is_near says so
void container(const struct table *t, uint64_t *out, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    const struct item *item = &t[i * 7 % n].items[1];
    const uint64_t *rate = item->rates;
    __builtin_is_near(rate);
    out[i] = *rate + primes[*item->words & 3];
  }
}

// CHECK-DAG: :[[#@LINE+7]]:21: remark: remote: marked in line [[#@LINE+6]]
// CHECK-DAG: :[[#@LINE+6]]:14: warning: the core waits for this load, whose address comes out of remote data; mark its pointer with __builtin_is_remote, or with __builtin_is_near if it leads to local memory [-Wpass-failed]
// CHECK-DAG: :[[#@LINE+5]]:14: remark: waits in the core: no mark leads to it
void forgotten(const uint64_t *at, const uint64_t *values, uint64_t *out, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(at);
    out[i] = values[at[i]];
  }
}

// CHECK-DAG: :[[#@LINE+5]]:14: remark: remote: the loop has no mark, and the address depends on the iteration
// CHECK-DAG: :[[#@LINE+4]]:27: remark: near: the address is the same in every iteration
void without_marks(const uint64_t *at, const uint64_t *one, uint64_t *restrict out, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i)
    out[i] = at[i * 99] + __atomic_load_n(one, __ATOMIC_RELAXED);
}

// Tasks update `sorted`, which may be any place but that of `next`.
// CHECK-DAG: :[[#@LINE+6]]:25: remark: near: __builtin_is_near says so
// CHECK-DAG: :[[#@LINE+5]]:29: remark: remote: the loop has no mark, and the address depends on the iteration
void move(uint32_t *sorted, uint32_t *next, const uint32_t *restrict keys, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_near(next);
    sorted[next[keys[i]]++] = keys[i];
  }
}
