// SPDX-License-Identifier: Apache-2.0
// Loads of an inner loop whose addresses come from counters and elements of rows: one group for several iterations.
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-adapt=off -O2 -fno-discard-value-names -S -emit-llvm %s -o - -Rpass-analysis=asyncmem 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %clang %plugin %riscv %sched=getfin -fplugin-arg-asyncmem-adapt=off -O2 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -O2 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
// RUN: %clang %plugin %riscv %sched=bafin -fplugin-arg-asyncmem-coalesce=blocks -O2 -fno-discard-value-names -S -emit-llvm %s -o - | FileCheck --check-prefix=OFF %s
#include "asyncmem.h"

// A strip begins when the last one is used up, with at most eight iterations, and no more than the loop has or the row's line holds. The
// group has as many requests: aset (4), one aload, and a loop of aloads (0).
// Of the row the slot has two blocks, 2^7 bytes: inside a strip the block is there, and the one behind it is requested ahead.
// The iterations of a strip are a loop of their own, in which nothing but its end is compared.
// CHECK-LABEL: @sum(
// CHECK: row.fill:
// CHECK: call void asm sideeffect ".insn r CUSTOM_0, 4,
// CHECK: and i64 %{{.*}}, 127
// CHECK: call i64 @llvm.umin.i64(
// CHECK: call void asm sideeffect ".insn r CUSTOM_0, 4,
// CHECK: call void asm sideeffect ".insn r CUSTOM_0, 0,
// CHECK: strip.request:
// CHECK-NOT: and i64
// CHECK: call void asm sideeffect ".insn r CUSTOM_0, 0,
// CHECK-NOT: strip.forget
// CHECK: %[[NEXT:[0-9]+]] = add i64 %strip.begun{{[0-9]*}}, 1
// CHECK-NOT: icmp
// CHECK: icmp eq i64 %[[NEXT]], %
// CHECK-NEXT: br i1 %{{.*}}, label %strip.end, label
// REMARK: [[#@LINE+10]]:{{[0-9]+}}: remark: a task waits here: 1 remote accesses in 1 requests of 8 bytes together, once for a strip of iterations of the inner loop, at most 8
// OFF-LABEL: @sum(
// OFF-NOT: strip.
uint64_t sum(const uint64_t *words, const uint32_t *row, const uint32_t *restrict begin, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(8) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(row);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      total += words[row[k]];
  }
  return total;
}

// What an iteration stores is compared with the addresses of those that follow.
// CHECK-LABEL: @relax(
// CHECK: strip.loop:
// CHECK: strip.compare.one:
// CHECK: icmp ult i64 %{{.*}}, 15
// CHECK: strip.forget:
// CHECK-LABEL: @refused(
void relax(uint64_t *words, const uint32_t *restrict row, const uint32_t *restrict begin, int n) {
#pragma asyncmem num_task(8) lossy_update(words)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(row);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      if (words[row[k]] > k)
        words[row[k]] = k;
  }
}

// No strips: a loop that may end earlier, a load on a condition, a count that the loop itself changes, an update under a lock, a store in
// each iteration.
// CHECK-NOT: strip.
uint64_t refused(uint64_t *words, const uint32_t *row, const uint32_t *restrict begin, int n) {
  uint64_t total = 0;
#pragma asyncmem num_task(8) reduction(+ : total)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(row);
    for (uint32_t k = begin[i]; k < begin[i + 1] && words[row[k]] != 5; ++k)
      total += k;
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      if (row[k] % 3)
        total += words[row[k]];
    for (uint32_t k = 0, count = 9; k < count; ++k) {
      uint64_t x = words[row[k] % 77];
      count += (uint32_t)(x & 1);
      total += x;
    }
  }
  return total;
}

void exclusive(uint64_t *words, const uint32_t *restrict row, const uint32_t *restrict begin, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(row);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      words[row[k]] += k;
  }
}

void gather(uint64_t *to, const uint64_t *words, const uint32_t *row, const uint32_t *restrict begin, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(words);
    __builtin_is_remote(row);
    for (uint32_t k = begin[i]; k < begin[i + 1]; ++k)
      to[k] = words[row[k]];
  }
}
