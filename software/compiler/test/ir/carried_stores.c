// SPDX-License-Identifier: Apache-2.0
// A store that ends an iteration is part of the group that the next iteration begins with: aset, astore, aload, one poll.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-live=adapt -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
#include "asyncmem.h"

// Two requests in the group, the load of the next iteration is the second one. Without another iteration the store is alone.
// The load has another place in the slot (0) than the store (8, in bits 16 and up of the request word).
// CHECK-LABEL: @update(
// CHECK-DAG: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 2)
// CHECK-DAG: add {{.*}}i64 %{{.*}}, 524288
// CHECK-LABEL: @triad(
// OFF-NOT: CUSTOM_0, 4
// OFF-LABEL: @triad(
void update(uint64_t *table, const uint32_t *key, int n) {
#pragma asyncmem num_task(8) lossy_update(table)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    table[key[i]] ^= i;
  }
}

// Where an iteration begins with two requests, what comes before it opens the group: for two, or for three with the store.
// CHECK-DAG: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 3)
// CHECK-DAG: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 2)
// CHECK-LABEL: @counters(
void triad(uint64_t *restrict c, const uint64_t *restrict a, const uint64_t *restrict b, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    __builtin_is_remote(c);
    c[4 * i] = a[4 * i] + 3 * b[4 * i]; // a line holds two: iterations are not joined
  }
}

// A store under the lock of an exclusive update, too, where the next iteration waits for something before it takes a lock: it releases
// this one then.
// CHECK: store ptr %{{.*}} !asyncmem.context
// CHECK: CUSTOM_0, 4, 0, x0, $0, $1", "r,r,~{memory}"(i64 %{{.*}}, i64 2)
// CHECK-LABEL: @exclusive(
void counters(uint32_t *counts, const uint32_t *keys, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(counts);
    __builtin_is_remote(keys);
    ++counts[keys[i]];
  }
}

// Waited for: the store under a lock that the next iteration begins with; the store in the middle; an iteration that may end without a
// request.
// CHECK-NOT: CUSTOM_0, 4
// CHECK-LABEL: @end(
void exclusive(uint64_t *table, const uint32_t *key, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(table);
    table[key[i]] += i;
  }
}

void middle(uint64_t *restrict a, uint64_t *restrict done, const uint32_t *restrict key, int n) {
#pragma asyncmem num_task(8) lossy_update(a)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[key[i]] += i;
    done[i] = 1;
  }
}

void skips(uint64_t *restrict a, const uint64_t *restrict b, const uint8_t *restrict skip, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    if (!skip[i])
      a[i] = b[i] + 1;
  }
}

void end(void) {}
