// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// RUN: %clang %plugin -O2 -c %s -o %t.o -Rpass=asyncmem 2>&1 | FileCheck %s
// A variable that is marked before it has a value: the mark is one of the variable.
#include "common.h"

enum { BUCKETS = 64, NODES = 256 };

struct node {
  struct node *next;
  uint64_t key, count;
};

// CHECK: [[#@LINE+3]]:9: remark: loop split into tasks
__attribute__((noinline)) static uint64_t total(struct node **buckets) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16) reduction(+ : sum)
  for (uint64_t i = 0; i < NODES; ++i) {
    struct node *p;
    __builtin_is_remote(p);
    for (p = buckets[i * 7 % BUCKETS]; p; p = p->next)
      if (p->key == i)
        break;
    if (p)
      sum += p->count;
  }
  return sum;
}

int main(void) {
  struct node *nodes = remote_alloc(NODES * sizeof *nodes);
  static struct node *buckets[BUCKETS];
  for (uint64_t i = 0; i < NODES; ++i) {
    nodes[i] = (struct node){buckets[i * 7 % BUCKETS], i, mix(i)};
    buckets[i * 7 % BUCKETS] = &nodes[i];
  }
  uint64_t sum = total(buckets);
  print_digest("sum", &sum, sizeof sum);
  return 0;
}
