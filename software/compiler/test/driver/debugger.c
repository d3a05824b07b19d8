// SPDX-License-Identifier: Apache-2.0
// A breakpoint in the body of a task shows that task's variables: the counter, arguments, scalars, pointers and arrays of the body, and what tasks share.
// What is in no place any more is said to be optimized out, as elsewhere.
// REQUIRES: gdb
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -g -O1 %s %runtime -o %t && gdb -batch -nx -x %S/debugger.gdb %t 2>&1 | FileCheck %s
// RUN: %clang %plugin -fplugin-arg-asyncmem-adapt=off -g -O2 %s %runtime -o %t && gdb -batch -nx -x %S/debugger.gdb %t 2>&1 | FileCheck %s
#include "asyncmem.h"

struct node {
  struct node *next;
  uint64_t key, value;
};

__attribute__((noinline)) uint64_t walk(struct node **heads, uint64_t mask, uint64_t n, uint64_t *out) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(heads);
    uint64_t key = i * 7;
    struct node *at = heads[key & mask];
    uint64_t steps = 0;
    while (at && at->key != key) {
      at = at->next;
      ++steps;
    }
    uint64_t found = at ? at->value : 1; // line 26
    out[i] = found + steps;
    sum += found * key;
  }
  return sum;
}

__attribute__((noinline)) void visit(struct node *nodes, const uint64_t *order, uint64_t n, uint64_t *out) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(nodes);
    __builtin_is_remote(order);
    struct node *at = &nodes[order[i]];
    uint64_t value = at->value;
    out[i] = i * value; // line 40
    at->key = value;
  }
}

__attribute__((noinline)) uint64_t count(const uint64_t *order, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(order);
    uint32_t digits[4] = {0, 0, 0, (uint32_t)i};
    for (uint64_t k = 0; k < 3; ++k)
      digits[order[(i + k) % n] % 3]++;
    sum += digits[i & 3]; // line 53
  }
  return sum;
}

// Key k is in list k % 64, in front of all smaller ones.
int main(void) {
  struct node **heads = remote_alloc(64 * sizeof *heads);
  struct node *nodes = remote_alloc(1024 * sizeof *nodes);
  uint64_t *order = remote_alloc(100 * sizeof *order);
  for (uint64_t i = 0; i < 64; ++i)
    heads[i] = 0;
  for (uint64_t i = 0; i < 1024; ++i) {
    nodes[i] = (struct node){heads[i & 63], i, i * 3};
    heads[i & 63] = &nodes[i];
  }
  for (uint64_t i = 0; i < 100; ++i)
    order[i] = i * 37 % 1024;
  static uint64_t out[100];
  uint64_t sum = walk(heads, 63, 100, out);
  visit(nodes, order, 100, out);
  sum += count(order, 100);
  return sum == 0;
}

// CHECK: walk: mask=63 n=100 i=27 key=189 steps=13 sum={{[1-9][0-9]+}}
// CHECK: walk: at {next = {{0x[0-9a-f]+}}, key = 189, value = 567}
// CHECK: walk: i=27 steps=13 found=567
// CHECK: visit: n=100 i=9 order=333 value=999
// CHECK: visit: at {next = {{0x[0-9a-f]+}}, key = 333, value = 999}
// CHECK: count: i=7 digits {1, 1, 1, 7}
