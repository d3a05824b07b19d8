// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

static uint64_t box_sum(const struct tree_node *nodes, uint64_t at, struct box box) {
  const struct tree_node *n = &nodes[at];
  uint64_t left = n->left, right = n->right;
  bool goes_left = (n->axis ? box.low_y : box.low_x) < n->split;
  bool goes_right = (n->axis ? box.high_y : box.high_x) >= n->split;
  if (left == TREE_LEAF)
    return right;
  uint64_t sum = goes_left && goes_right ? box_sum(nodes, left, box) : 0;
  return sum + box_sum(nodes, goes_right ? right : left, box);
}

void bench_run(uint64_t first, uint64_t count) {
  const struct tree_node *nodes = tree_nodes;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(nodes);
    tree_sums[i] = box_sum(nodes, TREE_ROOT, tree_box(i));
  }
}
