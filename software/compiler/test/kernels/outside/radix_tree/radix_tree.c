// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static struct node *child_among(struct node *const *children, const uint8_t *bytes, unsigned count, uint8_t byte) {
  for (unsigned k = 0; k < count; ++k)
    if (bytes[k] == byte)
      return children[k];
  return 0;
}

static struct node *child_of(const struct node *node, uint8_t byte) {
  switch (node->kind) {
  case NODE_4: {
    const struct node_4 *small = (const struct node_4 *)node;
    return child_among(small->children, small->bytes, node->count, byte);
  }
  case NODE_16: {
    const struct node_16 *middle = (const struct node_16 *)node;
    return child_among(middle->children, middle->bytes, node->count, byte);
  }
  case NODE_48: {
    const struct node_48 *large = (const struct node_48 *)node;
    uint8_t number = large->numbers[byte];
    return number ? large->children[number - 1] : 0;
  }
  default:
    return ((const struct node_256 *)node)->children[byte];
  }
}

static uint64_t find(const struct tree *in, uint64_t key) {
  struct node *node = in->root;
  for (unsigned depth = 0; node != 0; ++depth) {
#ifndef FIRST_MARKS
    __builtin_is_remote(node);
#endif
    if ((uintptr_t)node & 1) {
      const struct leaf *leaf = (const struct leaf *)((uintptr_t)node & ~1ul);
#ifndef FIRST_MARKS
      __builtin_is_remote(leaf);
#endif
      return leaf->key == key ? leaf->value : ABSENT;
    }
    node = child_of(node, byte_of(key, depth));
  }
  return ABSENT;
}

void bench_run(uint64_t first, uint64_t count) {
  const struct tree *in = tree;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(in);
    tree_results[i] = find(in, tree_key(tree_query(i)));
  }
}
