// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

struct tree_node *tree_nodes;
uint64_t tree_sums[BENCH_END];

// The way from the root to a node halves the square in turn along x and along y.
static void fill(uint64_t number) {
  unsigned depth = 63 - (unsigned)__builtin_clzl(number);
  uint32_t corner[2] = {0, 0};
  for (unsigned level = 0; level < depth; ++level)
    corner[level & 1] |= (uint32_t)(number >> (depth - 1 - level) & 1) << (TREE_LOG2_SIDE - 1 - level / 2);
  struct tree_node *n = &tree_nodes[tree_place(number)];
  if (depth == TREE_LOG2_POINTS) {
    n->left = TREE_LEAF;
    n->right = tree_value(corner[0], corner[1]);
    return;
  }
  n->axis = depth & 1;
  n->split = corner[depth & 1] + (TREE_SIDE / 2 >> depth / 2);
  n->left = tree_place(2 * number);
  n->right = tree_place(2 * number + 1);
}

void bench_init(void) {
  tree_nodes = remote_alloc(TREE_NODES * sizeof(struct tree_node));
  for (uint64_t number = 1; number < TREE_NODES; ++number)
    fill(number);
}

// The sums follow from the points, without the tree.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    struct box box = tree_box(i);
    uint64_t sum = 0;
    for (uint32_t y = box.low_y; y <= box.high_y; ++y)
      for (uint32_t x = box.low_x; x <= box.high_x; ++x)
        sum += tree_value(x, y);
    if (tree_sums[i] != sum)
      return false;
  }
  return true;
}
