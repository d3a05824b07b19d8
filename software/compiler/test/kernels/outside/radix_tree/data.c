// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

struct tree *tree;
uint64_t tree_results[BENCH_END];

static uint64_t value_of(uint64_t number) { return 3 * number + 1; }

static struct leaf leaves[TREE_KEYS], sorted[TREE_KEYS];

static void *allocate(uint64_t bytes) {
  static char *unused, *end;
  if ((uint64_t)(end - unused) < bytes) {
    unused = remote_alloc(1 << 20);
    end = unused + (1 << 20);
  }
  void *place = unused;
  unused += bytes + 15 & ~15ul;
  return place;
}

static struct node **add_child(struct node *node, uint8_t byte) {
  uint16_t number = node->count++;
  switch (node->kind) {
  case NODE_4:
    ((struct node_4 *)node)->bytes[number] = byte;
    return &((struct node_4 *)node)->children[number];
  case NODE_16:
    ((struct node_16 *)node)->bytes[number] = byte;
    return &((struct node_16 *)node)->children[number];
  case NODE_48:
    ((struct node_48 *)node)->numbers[byte] = (uint8_t)(number + 1);
    return &((struct node_48 *)node)->children[number];
  default:
    return &((struct node_256 *)node)->children[byte];
  }
}

static struct node *new_node(unsigned children) {
  static const uint64_t sizes[] = {sizeof(struct node_4), sizeof(struct node_16), sizeof(struct node_48), sizeof(struct node_256)};
  enum kind kind = children <= 4 ? NODE_4 : children <= 16 ? NODE_16 : children <= 48 ? NODE_48 : NODE_256;
  struct node *node = allocate(sizes[kind]);
  __builtin_memset(node, 0, sizes[kind]);
  node->kind = (uint16_t)kind;
  return node;
}

// The tree of leaves[from] to leaves[end - 1], which agree in `depth` bytes.
static struct node *build(uint64_t from, uint64_t end, unsigned depth) {
  if (end - from == 1) {
    struct leaf *leaf = allocate(sizeof *leaf);
    *leaf = leaves[from];
    return (struct node *)((uintptr_t)leaf | 1);
  }
  uint64_t starts[257] = {0}, next[256];
  for (uint64_t k = from; k < end; ++k)
    ++starts[byte_of(leaves[k].key, depth) + 1];
  starts[0] = from;
  unsigned children = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    children += starts[byte + 1] != 0;
    next[byte] = starts[byte];
    starts[byte + 1] += starts[byte];
  }
  for (uint64_t k = from; k < end; ++k)
    sorted[next[byte_of(leaves[k].key, depth)]++] = leaves[k];
  for (uint64_t k = from; k < end; ++k)
    leaves[k] = sorted[k];
  struct node *node = new_node(children);
  for (unsigned byte = 0; byte < 256; ++byte)
    if (starts[byte] < starts[byte + 1])
      *add_child(node, (uint8_t)byte) = build(starts[byte], starts[byte + 1], depth + 1);
  return node;
}

void bench_init(void) {
  for (uint64_t number = 0; number < TREE_KEYS; ++number)
    leaves[number] = (struct leaf){tree_key(number), value_of(number)};
  tree = remote_alloc(sizeof *tree);
  tree->root = build(0, TREE_KEYS, 0);
}

// The results follow from the numbers of the queries, without the tree.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t number = tree_query(i);
    if (tree_results[i] != (number < TREE_KEYS ? value_of(number) : ABSENT))
      return false;
  }
  return true;
}
