// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "graph500.h"
#include "host.h"

struct graph bfs_graph;
int64_t *bfs_tree;
int64_t *bfs_vlist;
int64_t bfs_tail;

static void make_graph(void) {
  int64_t *start = remote_alloc((BFS_VERTICES + 1) * sizeof(int64_t));
  int64_t *neighbours = remote_alloc(2 * BFS_EDGES * sizeof(int64_t));
  for (int64_t v = 0; v <= BFS_VERTICES; ++v)
    start[v] = 0;
  for (int64_t i = 0; i < BFS_EDGES; ++i) {
    struct edge edge = graph500_edge(i);
    ++start[edge.from];
    ++start[edge.to];
  }
  // start[v] becomes the end of v's row; filling the rows backwards makes it the begin.
  for (int64_t v = 1; v <= BFS_VERTICES; ++v)
    start[v] += start[v - 1];
  for (int64_t i = 0; i < BFS_EDGES; ++i) {
    struct edge edge = graph500_edge(i);
    neighbours[--start[edge.from]] = edge.to;
    neighbours[--start[edge.to]] = edge.from;
  }
  bfs_graph = (struct graph){start, neighbours};
}

// The whole search from a root, serially; returns the number of vertices reached.
static int64_t search(int64_t root) {
  bfs_tree[root] = root;
  bfs_vlist[0] = root;
  int64_t reached = 1;
  for (int64_t i = 0; i < reached; ++i) {
    int64_t vertex = bfs_vlist[i];
    for (int64_t e = bfs_graph.start[vertex]; e < bfs_graph.start[vertex + 1]; ++e) {
      int64_t neighbour = bfs_graph.neighbours[e];
      if (bfs_tree[neighbour] == BFS_UNREACHED) {
        bfs_tree[neighbour] = vertex;
        bfs_vlist[reached++] = neighbour;
      }
    }
  }
  return reached;
}

int64_t bfs_search(void) {
  make_graph();
  bfs_tree = remote_alloc(BFS_VERTICES * sizeof(int64_t));
  bfs_vlist = remote_alloc((2 * BFS_EDGES + BFS_VERTICES) * sizeof(int64_t));
  for (int64_t v = 0; v < BFS_VERTICES; ++v)
    bfs_tree[v] = BFS_UNREACHED;
  int64_t root = 0;
  while (bfs_degree(root) == 0)
    ++root;
  return search(root);
}

// Sets of vertices, one bit each.
static uint64_t confirmed[BFS_VERTICES / 64], listed[BFS_VERTICES / 64];

static bool contains(const uint64_t *set, int64_t v) { return set[v / 64] >> v % 64 & 1; }

// Puts v into the set; returns 1 if it was not there.
static int64_t add(uint64_t *set, int64_t v) {
  bool is_new = !contains(set, v);
  set[v / 64] |= 1ul << v % 64;
  return is_new;
}

// The rules of Graph500's validation for these expansions: all neighbours of the expanded vertices are reached; a vertex that
// is new has one of its expanded neighbours as parent; vlist has the new vertices, and only those. (What was reached
// before has no expanded parent, except the root, its own parent.)
bool bench_verify(uint64_t count) {
  int64_t claimed = 0, found = 0;
  for (uint64_t i = 0; i < count; ++i) {
    int64_t vertex = bfs_vlist[i];
    for (int64_t e = bfs_graph.start[vertex]; e < bfs_graph.start[vertex + 1]; ++e) {
      int64_t neighbour = bfs_graph.neighbours[e];
      if (bfs_tree[neighbour] == BFS_UNREACHED)
        return false;
      if (bfs_tree[neighbour] == vertex && neighbour != vertex)
        claimed += add(confirmed, neighbour);
    }
  }
  for (int64_t i = BFS_OPERATIONS; i < bfs_tail; ++i) {
    int64_t vertex = bfs_vlist[i];
    if (vertex < 0 || vertex >= BFS_VERTICES || !contains(confirmed, vertex))
      return false;
    found += add(listed, vertex);
  }
  host_metric(HOST_METRIC_FIRST_FREE, bfs_tail - BFS_OPERATIONS - found);
  return claimed == found && claimed > 0;
}
