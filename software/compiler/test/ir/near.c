// SPDX-License-Identifier: Apache-2.0
// Accesses that are near: no switch, each reason on and off.
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// RUN: %clang %plugin %near=lines -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=LINES %s
// RUN: %clang %plugin %near=streams -fplugin-arg-asyncmem-adapt=off -O2 -S -emit-llvm %s -o - -Rpass=asyncmem 2>%t.remarks | FileCheck --check-prefix=STREAMS %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off %riscv -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=RISCV %s
#include "asyncmem.h"

struct node {
  uint64_t count, keys[3];
  struct node *next;
};

// A chain: the node is waited for once, both ends of it prefetched; its keys and
// its link are at known distances, also where an inner loop begins.
// NONE-LABEL: @chain(
// NONE: indirectbr
// LINES-LABEL: @chain(
// LINES-COUNT-2: call void @llvm.prefetch
// LINES-NOT: call void @llvm.prefetch
// LINES-NOT: indirectbr
// REMARK-DAG: remark: no switch at 2 remote accesses: 2 in lines that are there, 0 prefetched ahead
// REMARK-DAG: remark: loop split into tasks: 4 tasks, {{[0-9]+}} bytes of context each, 1 suspensions for 1 remote accesses
uint64_t chain(struct node *const *heads, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i)
    for (const struct node *b = heads[i]; b; b = b->next) {
      __builtin_is_remote(b);
      for (uint64_t k = 0; k < b->count; ++k)
        sum += b->keys[k];
    }
  return sum;
}

// A stream and what it leads to: the stream is read as many tasks ahead as
// there are, rounded up to lines, and one line more.
// LINES-LABEL: @indirect(
// LINES: indirectbr
// STREAMS-LABEL: @indirect(
// STREAMS: getelementptr i8, ptr %{{.*}}, i64 128
// STREAMS: call void @llvm.prefetch
// STREAMS: call void @llvm.prefetch{{.*}} !asyncmem.switch
// STREAMS-NOT: indirectbr
// REMARK-DAG: remark: no switch at 1 remote accesses: 0 in lines that are there, 1 prefetched ahead
uint64_t indirect(const uint32_t *index, const uint64_t *values, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(index);
    __builtin_is_remote(values);
    sum += values[index[i]];
  }
  return sum;
}

// A stream alone needs no tasks. A CPU's prefetchers follow it; NH-G has none.
// STREAMS-LABEL: @scale(
// STREAMS-NOT: call void @llvm.prefetch
// RISCV-LABEL: @scale(
// RISCV: getelementptr i8, ptr %{{.*}}, i64 512
// RISCV: call void @llvm.prefetch
// RISCV-NOT: asyncmem.switch
// REMARK-DAG: remark: loop needs no tasks: 1 remote accesses are near: 0 in lines that are there, 1 prefetched ahead
void scale(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] *= 3;
  }
}

// A row: the task waits in front of the inner loop, which reads ahead.
// STREAMS-LABEL: @rows(
// STREAMS: indirectbr
// RISCV-LABEL: @rows(
// RISCV: indirectbr ptr %{{.*}}, [label %{{.*}}, label %{{.*}}, label %{{.*}}]
// REMARK-DAG: remark: no switch at 1 remote accesses: 0 in lines that are there, 1 prefetched ahead
uint64_t rows(const uint32_t *starts, const uint32_t *columns, const uint64_t *values, const uint32_t *rows, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(starts);
    __builtin_is_remote(columns);
    __builtin_is_remote(values);
    uint64_t end = starts[rows[i] + 1];
    for (uint64_t e = starts[rows[i]]; e < end; ++e)
      sum += values[columns[e]];
  }
  return sum;
}
