// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// More inner loops than a slot has places for rows: loops that follow each other have the same ones. One stores into what the next one reads, or into
// what the one before has read and a third reads again.
#include "common.h"

enum { VERTICES = 120, LENGTH = 1 << 12 };

// Four steps of a search, each over the keys of a node: one loop each once the steps are unrolled.
struct node {
  uint32_t keys[7], count, child[8];
};

__attribute__((noinline)) static uint64_t descend(const struct node *nodes) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t i = 0; i < VERTICES; ++i) {
    __builtin_is_remote(nodes);
    uint32_t key = (uint32_t)(i * 2654435761u), at = 0;
    for (int level = 0; level < 4; ++level) {
      const struct node *n = &nodes[at];
      unsigned k = 0;
      while (k < n->count && key >= n->keys[k])
        ++k;
      at = n->child[k];
    }
    sum += at;
  }
  return sum;
}

// Rows of three arrays in four loops; one loop changes what those around it read, another what it reads itself.
__attribute__((noinline)) static void blend(uint32_t *a, uint32_t *b, uint32_t *c, uint64_t *sums) {
#pragma asyncmem num_task(64)
  for (uint64_t i = 0; i < VERTICES; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    __builtin_is_remote(c);
    uint64_t sum = 0, n = 3 + i % 17;
    uint32_t *x = a + i * 32, *y = b + i * 32, *z = c + i * 32;
    for (uint64_t k = 0; k < n; ++k)
      sum += x[k] * (uint64_t)y[k];
    for (uint64_t k = 0; k < n; ++k) {
      uint32_t next = x[(k * 5 + i) % 24] ^ y[k + 1];
      y[k + 2] = next + (uint32_t)sum;
      sum ^= next;
    }
    for (uint64_t k = 0; k < n; ++k)
      sum = sum * 31 + x[k + 3] - y[k];
    for (uint64_t k = 0; k < n; ++k) {
      sum += z[k];
      z[(k * 3 + i) % 24] = (uint32_t)(sum >> 7);
    }
    for (uint64_t k = n; k-- > 0;)
      sum += y[k] ^ x[k] ^ z[k + 1];
    sums[i] = sum;
  }
}

int main(void) {
  struct node *nodes = remote_alloc(LENGTH * sizeof *nodes);
  uint32_t *a = remote_alloc(LENGTH * sizeof *a), *b = remote_alloc(LENGTH * sizeof *b), *c = remote_alloc(LENGTH * sizeof *c);
  static uint64_t sums[VERTICES];
  for (uint32_t i = 0; i < LENGTH; ++i) {
    a[i] = i * 2246822519u;
    b[i] = i * 3266489917u;
    c[i] = a[i] ^ b[i];
    nodes[i].count = i % 8;
    for (uint32_t k = 0; k < 8; ++k) {
      if (k < 7)
        nodes[i].keys[k] = (k + 1) << 29;
      nodes[i].child[k] = (i * 8 + k + 1) % LENGTH;
    }
  }
  uint64_t found = descend(nodes);
  blend(a, b, c, sums);
  for (uint64_t i = 0; i < VERTICES; ++i)
    found = found * 31 + sums[i];
  for (uint32_t i = 0; i < LENGTH; ++i)
    found = found * 31 + (b[i] ^ c[i] * 7);
  printf("%lu\n", (unsigned long)found);
}
