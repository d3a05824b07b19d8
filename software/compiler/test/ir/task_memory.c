// SPDX-License-Identifier: Apache-2.0
// The program's own accesses alias neither slots nor what tasks save, and these not each other; prefetching tasks have no slot.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=static -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=STATIC %s
#include "asyncmem.h"

// CHECK-LABEL: @count(
// CHECK: load i64, ptr %{{.*}}, !alias.scope [[FRAME:![0-9]+]], !noalias [[SLOT:![0-9]+]], !asyncmem.context
// CHECK: load i64, ptr %{{.*}}, !alias.scope [[SLOT]], !noalias [[FRAME]]
// CHECK: load i32, ptr %{{.*}}, !noalias [[BOTH:![0-9]+]]
// CHECK: store i32 %{{.*}}, !noalias [[BOTH]]
// CHECK-DAG: [[FRAME]] = !{[[F:![0-9]+]]}
// CHECK-DAG: [[SLOT]] = !{[[S:![0-9]+]]}
// CHECK-DAG: [[BOTH]] = !{[[S]], [[F]]}
// STATIC-NOT: !noalias
void count(const uint64_t *values, const uint64_t *keys, uint32_t *counts, uint64_t n) {
#pragma asyncmem num_task(64)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(values);
    uint64_t k = keys[i];
    ++counts[values[k * 8] ^ k];
  }
}
