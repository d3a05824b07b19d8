// SPDX-License-Identifier: Apache-2.0
// frames=fresh: each suspension allocates memory for what lives across it, saves all of that, and gives it back.
// RUN: %clang %plugin %near=none -fplugin-arg-asyncmem-adapt=off -fplugin-arg-asyncmem-frames=fresh -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: not %clang %plugin -fplugin-arg-asyncmem-frames=new -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REFUSED %s
#include "asyncmem.h"

// REFUSED: error: asyncmem: frames=new is unknown: use kept or fresh

// Of the frames themselves 16 bytes are left: resume address and the fresh frame's. i is saved at each of the three suspensions, though it never changes;
// behind it the address of a word, too.
// CHECK-LABEL: @unchanged
// CHECK: alloca [64 x i8]
// CHECK: call ptr @malloc(i64 8)
// CHECK: call void @free
// CHECK: call ptr @malloc(i64 16)
// CHECK: call void @free
// CHECK: call ptr @malloc(i64 16)
// CHECK: call void @free
// CHECK-NOT: @malloc
// CHECK-LABEL: @different
void unchanged(const uint64_t *restrict b, uint64_t *restrict out,
               uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(b);
    out[i] = b[b[b[i] & 1023] & 1023];
  }
}

// As large as what lives across the one suspension.
// CHECK: call ptr @malloc(i64 24)
// CHECK: call ptr @malloc(i64 16)
void different(const uint64_t *restrict b, const uint64_t *restrict local,
               uint64_t *restrict out, uint64_t n) {
#pragma asyncmem num_task(4)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(b);
    uint64_t more = local[i + 7];
    out[i] = b[(b[local[i] & 1023] + more) & 1023];
  }
}
