// SPDX-License-Identifier: Apache-2.0
// memcmp of at most a cache line of remote memory becomes loads, which a request makes: at once where a later access says that the place is aligned,
// else after a look at its address, with loads of bytes where it is not. Longer blocks, and those of
// unknown length: library_calls.c.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - -Rpass-analysis=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=X86
#include "asyncmem.h"
#include <string.h>

struct item {
  uint64_t key[2], value;
  struct item *next;
};

// CHECK-LABEL: define {{.*}}@by_value(
// CHECK-NOT: call {{.*}}@memcmp
// CHECK-LABEL: define {{.*}}@unknown(
// X86-LABEL: define {{.*}}@by_value(
// X86-NOT: call {{.*}}@{{memcmp|bcmp}}
uint64_t by_value(struct item *const *heads, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(heads);
    uint64_t key[2] = {i, ~i};
    for (const struct item *it = heads[i]; it; it = it->next) {
      __builtin_is_remote(it);
      if (!memcmp(it->key, key, 16)) {
        sum += it->value;
        break;
      }
    }
  }
  return sum;
}

// CHECK: [[LOW:%[0-9]+]] = and i64 %{{[0-9]+}}, 7,
// CHECK-NEXT: [[ALIGNED:%[0-9]+]] = icmp eq i64 [[LOW]], 0
// CHECK-NEXT: br i1 [[ALIGNED]],
// CHECK-NOT: call {{.*}}@{{memcmp|bcmp}}
// REMARK: [[#@LINE+10]]:{{[0-9]+}}: remark: a task waits here: 8 remote accesses in 1 requests of 8 bytes together
// REMARK: [[#@LINE+9]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 8 bytes together
// X86-LABEL: define {{.*}}@unknown(
// X86-NOT: call {{.*}}@{{memcmp|bcmp}}
// X86-LABEL: define {{.*}}@long_ones(
uint64_t unknown(const char *places, const char *with, uint64_t n) {
  uint64_t found = 0;
#pragma asyncmem num_task(16) reduction(+ : found)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(places);
    found += memcmp(places + 9 * i, with, 8) == 0;
  }
  return found;
}

// CHECK-LABEL: define {{.*}}@long_ones(
// CHECK-NOT: call {{.*}}@memcmp
uint64_t long_ones(const uint64_t *places, const uint64_t *with, uint64_t length, uint64_t n) {
  uint64_t found = 0;
#pragma asyncmem num_task(16) reduction(+ : found)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(places);
    const uint64_t *place = places + places[i];
    found += memcmp(place, with, 65) == 0;
    found += memcmp(place, with, length) == 0;
  }
  return found;
}
