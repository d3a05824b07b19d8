// SPDX-License-Identifier: Apache-2.0
// Calls of string.h on remote memory. AMU: a loop in place of the call, whose remote side is a row, a request a line; the other side stays where it is.
// Prefetching tasks: the first lines are touched, of a block inside one line only its first byte, then the call follows. Code under a sanitizer reads no
// aligned word around a block. Calls on local memory stay.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - -Rpass-analysis=asyncmem -Rpass-missed=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=X86
// RUN: %clang %plugin -fsanitize=address -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o /dev/null
#include "asyncmem.h"
#include <string.h>

struct text {
  uint32_t size;
  char bytes[28];
};

// Words if both sides are aligned alike, else bytes.
// CHECK-LABEL: define {{.*}}@equal(
// CHECK-NOT: call {{.*}}@{{memcmp|bcmp}}
// CHECK: xor i64
// CHECK: load i8, ptr
// CHECK-NOT: call {{.*}}@{{memcmp|bcmp}}
// CHECK-LABEL: define {{.*}}@ordered(
// REMARK: [[#@LINE+16]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 64 bytes together, once for a block of a row
// X86-LABEL: define {{.*}}@equal(
// X86: [[REST:%[0-9]+]] = sub {{.*}}i64 64,
// X86-NEXT: icmp ult i64 [[REST]],
// X86: call void @llvm.prefetch
// X86: call void @llvm.prefetch
// X86-NEXT: call void @llvm.prefetch
// X86: call ptr asm "", "=r,0,r
// X86: call {{.*}}@{{memcmp|bcmp}}
// X86-LABEL: define {{.*}}@ordered(
uint64_t equal(const struct text *held, const struct text *key, uint64_t n) {
  uint64_t found = 0;
#pragma asyncmem num_task(16) reduction(+ : found)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(held);
    const struct text *at = &held[key[i].size];
    found += memcmp(at->bytes, key[i].bytes, key[i].size) == 0;
  }
  return found;
}

// CHECK-NOT: call {{.*}}@str
// CHECK: call {{.*}}@strlen(
// CHECK-NOT: call {{.*}}@str
// CHECK-LABEL: define {{.*}}@found(
// X86: call {{.*}}@strlen(
// X86: call void @llvm.prefetch
// X86: call {{.*}}@strcmp(
// X86-LABEL: define {{.*}}@found(
uint64_t ordered(const char *const *names, const char *name, const char *const *own, uint64_t n) {
  uint64_t less = 0;
#pragma asyncmem num_task(16) reduction(+ : less)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(names);
    less += strlen(own[i]);
    less += strcmp(name, names[i * 7]) < 0;
  }
  return less;
}

// CHECK-NOT: call {{.*}}@memchr
// CHECK-LABEL: define {{.*}}@copied(
// X86: call {{.*}}@memchr(
uint64_t found(const char *texts, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(texts);
    const char *at = texts + 96 * i, *to = memchr(at, '=', n);
    sum += to ? (uint64_t)(to - at) : 0;
  }
  return sum;
}

// CHECK-NOT: call {{.*}}@llvm.memcpy
void copied(char *to, const char *from, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(to);
    __builtin_is_remote(from);
    memcpy(to + 96 * i, from + 96 * (n - i), i & 63);
  }
}
// REMARK-NOT: the core waits
