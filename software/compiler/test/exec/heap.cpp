// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Tasks take memory from the heap and give it back, in C and in C++ alike.
#include "common.h"
#include <stdlib.h>

enum { WORDS = 1 << 12, COUNT = 500 };

struct node {
  uint64_t value;
  node *next;
};

__attribute__((noinline)) static void by_new(uint64_t *a, node **nodes) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    node *n = new node;
    n->value = a[i * 7 % WORDS];
    n->next = nullptr;
    nodes[i] = n;
  }
}

__attribute__((noinline)) static void by_malloc(uint64_t *a, node **nodes) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    node *n = (node *)malloc(sizeof(node));
    n->value = a[i * 13 % WORDS];
    n->next = nodes[i];
    nodes[i] = n;
  }
}

__attribute__((noinline)) static uint64_t release(uint64_t *a, node **nodes) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8)
  for (int i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    node *n = nodes[i];
    sum += a[n->value % WORDS] ^ n->next->value;
    delete n->next;
    free(n);
  }
  return sum;
}

int main() {
  static node *nodes[COUNT];
  uint64_t *a = remote_words(WORDS);
  by_new(a, nodes);
  by_malloc(a, nodes);
  uint64_t sum = release(a, nodes);
  print_digest("heap", &sum, sizeof(sum));
}
