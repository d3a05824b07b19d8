// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const int64_t *start = bfs_graph.start, *neighbours = bfs_graph.neighbours;
  int64_t *tree = bfs_tree, *vlist = bfs_vlist;
  int64_t tail = bfs_tail;
#pragma asyncmem num_task(BENCH_COROUTINES) shared_var(tail) lossy_update(tree)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(start);
    __builtin_is_remote(neighbours);
    __builtin_is_remote(tree);
    __builtin_is_remote(vlist);
    int64_t vertex = vlist[i];
    int64_t end = start[vertex + 1];
    for (int64_t e = start[vertex]; e < end; ++e) {
      int64_t neighbour = neighbours[e];
      if (tree[neighbour] == BFS_UNREACHED) {
        tree[neighbour] = vertex;
        vlist[tail++] = neighbour;
      }
    }
  }
  bfs_tail = tail;
}
