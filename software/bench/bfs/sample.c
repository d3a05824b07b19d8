// SPDX-License-Identifier: Apache-2.0
// Which expansions of the search are measured: of the vertices sorted by degree, one from the middle of each of as many equal
// parts as there are operations. So all degrees up to BFS_DEGREE_MAX are there as often as in the search, and all levels.
//
// Rows longer than BFS_DEGREE_MAX are left out where the region has few operations: a task that walks one alone would still
// be at it when all others have long ended. What that hides: docs/design/method.md.
#include "sample.h"
#include "bench.h"
#include "data.h"

// Vertices by degree and in what order they were reached; later what is sampled.
static int64_t by_degree[BFS_VERTICES], expansions[BFS_OPERATIONS];
static int64_t with_degree[BFS_DEGREE_MAX + 2];
// What the vertex is in the sample.
static enum role { Other, Warmup, Measured } role[BFS_VERTICES];

// Fills by_degree with the vertices of degree up to BFS_DEGREE_MAX, equal degrees in the order of the search; returns their number.
static int64_t sort_by_degree(int64_t reached) {
  for (int64_t i = 0; i < reached; ++i)
    if (bfs_degree(bfs_vlist[i]) <= BFS_DEGREE_MAX)
      ++with_degree[bfs_degree(bfs_vlist[i]) + 1];
  for (int64_t degree = 0; degree <= BFS_DEGREE_MAX; ++degree)
    with_degree[degree + 1] += with_degree[degree];
  for (int64_t i = 0; i < reached; ++i)
    if (bfs_degree(bfs_vlist[i]) <= BFS_DEGREE_MAX)
      by_degree[with_degree[bfs_degree(bfs_vlist[i])]++] = bfs_vlist[i];
  return with_degree[BFS_DEGREE_MAX];
}

// Warm-up operations are spread over all degrees, too.
static bool is_warmup(int64_t operation) {
  return operation * BENCH_WARMUP_OPERATIONS / BFS_OPERATIONS !=
         (operation + 1) * BENCH_WARMUP_OPERATIONS / BFS_OPERATIONS;
}

bool bfs_sample(int64_t reached) {
  const int64_t candidates = sort_by_degree(reached);
  if (candidates < BFS_OPERATIONS)
    return false;
  for (int64_t k = 0; k < BFS_OPERATIONS; ++k)
    role[by_degree[(2 * k + 1) * candidates / (2 * BFS_OPERATIONS)]] = is_warmup(k) ? Warmup : Measured;
  int64_t warmup = 0, measured = BENCH_WARMUP_OPERATIONS;
  for (int64_t i = 0; i < reached; ++i) {
    int64_t vertex = bfs_vlist[i];
    if (role[vertex] != Other)
      expansions[role[vertex] == Warmup ? warmup++ : measured++] = vertex;
    int64_t parent = bfs_tree[vertex];
    if (role[parent] != Other && parent != vertex)
      bfs_tree[vertex] = BFS_UNREACHED;
  }
  for (int64_t i = 0; i < BFS_OPERATIONS; ++i)
    bfs_vlist[i] = expansions[i];
  bfs_tail = BFS_OPERATIONS;
  return true;
}
