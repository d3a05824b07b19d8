// SPDX-License-Identifier: Apache-2.0
// At -O3 a loop gets a copy for the case that a pointer is null; that nothing remote is in that copy is no news. Nor do
// locks count as coalesced accesses.
// RUN: %clang %plugin -O3 -c %s -o %t.o -Rpass=asyncmem -Werror=pass-failed 2>&1 | FileCheck %s
#include "asyncmem.h"

struct node {
  struct node *child[2];
  uint64_t key;
};
// CHECK: copies.c:[[#@LINE+3]]:9: remark: loop split into tasks: 16 tasks
unsigned count(struct node *root, const uint64_t *keys, int n) {
  unsigned found = 0;
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    struct node *p = root;
    __builtin_is_remote(p);
    while (p) {
      if (p->key == keys[i]) {
        ++found;
        break;
      }
      p = p->child[keys[i] > p->key];
    }
  }
  return found;
}

// CHECK: copies.c:[[#@LINE+2]]:9: remark: loop split into tasks: {{.*}} 2 suspensions for 1 remote accesses in 1 requests (0 coalesced)
void locked(const uint64_t *a, uint64_t *lock, uint64_t *sum, const unsigned *order, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    asyncmem_lock(lock);
    *sum = *sum * 3 + a[order[i]];
    asyncmem_unlock(lock);
  }
}
