// SPDX-License-Identifier: Apache-2.0
// A loop refused for the size of a recursive callee: apart, as each compilation of it takes ten times as long as one of the others.
// CONFIGURATIONS: static O1, bafin O1
// RUN: %same_as_off %s %t
#include "refused.h"

struct tree {
  uint64_t key;
  struct tree *left, *right;
};
extern volatile uint64_t stores;

// A store is the instruction that compiles fastest.
#define EIGHT(statements) statements statements statements statements statements statements statements statements
uint64_t is_large(struct tree *n, uint64_t k) {
  if (!n)
    return k;
  EIGHT(EIGHT(EIGHT(EIGHT(stores = 1; stores = 2; stores = 3; stores = 4; stores = 5;))))
  return is_large(n->left, k) * 3 + is_large(n->right, k + 1);
}
uint64_t loop_is_large(struct tree *n, uint64_t count) {
  OUTSIDE
  // REFUSED: it calls 'is_large', which is recursive: its code is too large
#pragma asyncmem num_task(4) CLAUSES
  for (uint64_t i = 0; i < count; ++i) {
    __builtin_is_remote(n);
    INSIDE(is_large(n, i))
  }
  return RESULT;
}
