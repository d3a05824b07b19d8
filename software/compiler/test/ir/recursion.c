// SPDX-License-Identifier: Apache-2.0
// A recursive callee inside a task: its accesses wait like those of the body;
// what it still needs after a call is saved on its level, once for both calls
// (n, its key, the first result), what every call hands on unchanged is not
// (least, weights); behind the last level the plain function runs.
// RUN: %clang %plugin -O2 -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=PLAIN %s < %t.ll
#include "asyncmem.h"

struct tree {
  uint64_t key;
  struct tree *left, *right;
};

uint64_t depth(const struct tree *n, uint64_t least, const uint64_t *weights);

// CHECK-LABEL: define {{.*}} @depths
// CHECK-COUNT-3: store {{.*}} !asyncmem.level
// CHECK-NOT: store {{.*}} !asyncmem.level
// CHECK-LABEL: define {{.*}} @depth(

// PLAIN-LABEL: define {{.*}} @depths
// PLAIN: indirectbr
// PLAIN: @llvm.prefetch
// PLAIN-COUNT-2: call i64 @depth({{.*}} !asyncmem.plain
// PLAIN-NOT: call i64 @depth
// PLAIN-LABEL: define {{.*}} @depth(
void depths(const struct tree **roots, const uint64_t *weights,
            uint64_t *restrict out, uint64_t count) {
#pragma asyncmem num_task(2)
  for (uint64_t i = 0; i < count; ++i) {
    const struct tree *root = roots[i];
    __builtin_is_remote(root);
    out[i] = depth(root, i, weights);
  }
}

uint64_t depth(const struct tree *n, uint64_t least, const uint64_t *weights) {
  if (!n || n->key < least)
    return 0;
  uint64_t left = depth(n->left, least, weights);
  uint64_t right = depth(n->right, least, weights);
  return (left > right ? left : right) + weights[n->key];
}
