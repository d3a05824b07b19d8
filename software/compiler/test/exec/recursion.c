// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Callees that call themselves: once, twice in a row, in an inner loop, with
// variables in memory, through another function, deeper than the levels a task
// has, with a result, with stores, with arguments that change and that do not.
#include "common.h"

enum { NODES = 1 << 10, CHAIN = 300, COUNT = 200 };

struct node {
  uint64_t key, value;
  struct node *left, *right;
};

// Both children, part of the value used behind each call.
__attribute__((noinline)) static uint64_t sum(const struct node *n,
                                              uint64_t from, uint64_t to) {
  if (!n)
    return 0;
  uint64_t left = n->key > from ? sum(n->left, from, to) : 1;
  uint64_t own = n->key * left;
  uint64_t right = n->key < to ? sum(n->right, from, to) : 2;
  return own ^ (right + n->value);
}

// Neither tail nor associative: one call, much deeper than the levels.
__attribute__((noinline)) static uint64_t fold(const uint64_t *next,
                                               uint64_t at, int steps) {
  if (!steps)
    return at;
  uint64_t rest = fold(next, next[at], steps - 1);
  return (rest ^ next[(rest + at) % CHAIN]) * 3;
}

// A loop around the call, a variable in memory on each level, stores.
__attribute__((noinline)) static int mark(struct node *n, int depth,
                                          uint64_t tag) {
  int seen[4] = {0, 0, 0, 0};
  if (!n || !depth)
    return 1;
  for (int i = 0; i < 2; ++i) {
    seen[(n->key + (uint64_t)i) % 4] += mark(i ? n->left : n->right, depth - 1, tag + 1);
    n->value ^= tag * (uint64_t)seen[i + 1];
  }
  return seen[0] + 2 * seen[1] + 3 * seen[2] + 5 * seen[3];
}

__attribute__((noinline)) static uint64_t odd(const struct node *n,
                                              uint64_t mode);
__attribute__((noinline)) static uint64_t even(const struct node *n,
                                               uint64_t mode) {
  if (!n)
    return mode;
  uint64_t a = odd(n->left, mode + 1);
  return a + n->key * even(mode & 1 ? n->right : 0, a & 7);
}
static uint64_t odd(const struct node *n, uint64_t mode) {
  if (!n)
    return mode + 5;
  uint64_t a = even(n->right, mode + 3);
  return a ^ (n->value + odd(mode & 2 ? n->left : 0, mode));
}

// Recursion from recursion.
__attribute__((noinline)) static uint64_t outer(const struct node *n, int depth) {
  if (!n || !depth)
    return 3;
  uint64_t below = outer(n->left, depth - 1);
  const struct node *other = n->right;
  __builtin_is_remote(other);
  uint64_t range = sum(other, n->key - (below & 63), n->key + 40);
  return below * range + outer(n->right, depth - 2 > 0 ? depth - 2 : 0);
}

__attribute__((noinline)) static void visit(struct node *n, uint64_t *counts,
                                            uint64_t low) {
  if (!n)
    return;
  if (n->key >= low)
    visit(n->left, counts, low);
  ++counts[n->key % 16];
  if (n->key < low + 30)
    visit(n->right, counts, low);
}

static struct node *build(struct node *nodes, uint64_t from, uint64_t to) {
  if (from >= to)
    return 0;
  uint64_t middle = (from + to) / 2;
  struct node *n = &nodes[mix(middle) % NODES];
  while (n->key != ~0ul)
    n = n == nodes + NODES - 1 ? nodes : n + 1;
  n->key = middle;
  n->value = mix(middle);
  n->left = build(nodes, from, middle);
  n->right = build(nodes, middle + 1, to);
  return n;
}

__attribute__((noinline)) static uint64_t ranges(const struct node *root) {
  uint64_t total = 0;
#pragma asyncmem num_task(16) reduction(+ : total)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(root);
    total += sum(root, mix(i) % NODES, mix(i) % NODES + i % 50);
    if (i % 3 == 0)
      total += sum(root, i, i + 2) * i;
  }
  return total;
}

__attribute__((noinline)) static void folds(const uint64_t *next, uint64_t *out) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(next);
    out[i] = fold(next, mix(i) % CHAIN, (int)(mix(i) % 150));
  }
}

// Each iteration has a tree of its own.
__attribute__((noinline)) static int marks(struct node **trees, int count) {
  int total = 0;
  struct node *tree;
#pragma asyncmem num_task(16) reduction(+ : total) distinct_update(tree)
  for (int i = 0; i < count; ++i) {
    tree = trees[i];
    __builtin_is_remote(tree);
    for (int round = 0; round < 2; ++round)
      total += mark(tree, round + 3, (uint64_t)i) ^ round;
  }
  return total;
}

__attribute__((noinline)) static uint64_t mutual(struct node **trees, int count) {
  uint64_t total = 0;
#pragma asyncmem num_task(16) reduction(^ : total)
  for (int i = 0; i < count; ++i) {
    struct node *tree = trees[i];
    __builtin_is_remote(tree);
    total ^= even(tree, (uint64_t)i) + outer(tree, i % 5);
  }
  return total;
}

__attribute__((noinline)) static void visits(struct node *root, uint64_t *counts) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(root);
    visit(root, counts, i * 5);
  }
}

int main(void) {
  struct node *nodes = remote_alloc(NODES * sizeof(struct node));
  for (int i = 0; i < NODES; ++i)
    nodes[i].key = ~0ul;
  struct node *root = build(nodes, 0, NODES);
  printf("ranges %lx\n", (unsigned long)ranges(root));

  static uint64_t out[COUNT];
  uint64_t *next = remote_words(CHAIN);
  for (int i = 0; i < CHAIN; ++i)
    next[i] %= CHAIN;
  folds(next, out);
  print_digest("folds", out, sizeof out);

  static uint64_t counts[16];
  visits(root, counts);
  print_digest("visits", counts, sizeof counts);

  struct node *trees[32];
  int count = 0;
  for (int i = 0; i < NODES && count < 32; ++i)
    if (nodes[i].key % 32 == 16)
      trees[count++] = &nodes[i];
  printf("mutual %lx\n", (unsigned long)mutual(trees, count));
  printf("marks %d\n", marks(trees, count));
  uint64_t all = 0;
  for (int i = 0; i < NODES; ++i)
    all = all * 31 + nodes[i].value;
  printf("values %lx\n", (unsigned long)all);
  return 0;
}
