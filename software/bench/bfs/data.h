// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, top-down, on a Graph500 graph: Kronecker generator, 16 edges a vertex, stored in both directions as
// compressed rows. bfs_tree holds each vertex's parent (BFS_UNREACHED: none), vlist the vertices to be expanded and then
// the new ones, in order. Graph, tree and list lie in far memory.
//
// The operations are a sample of the whole search: expansions from all its levels and of all degrees (sample.c), in the
// order of the search. Each finds the tree as it was in the search: what the other expansions had claimed is claimed,
// what those of the sample claimed is not. Operation i expands vlist[i].
//
// Tasks that claim the same vertex at the same time may both put it into vlist: either parent is right, and a vertex
// expanded twice changes nothing. The list has room for one entry an edge.
#pragma once
#include "mix.h"

#include <stdbool.h>

#define BFS_VERTICES (1l << BFS_LOG2_VERTICES)
#define BFS_EDGES (16 * BFS_VERTICES)
#define BFS_UNREACHED (-1l)

// Neighbours of v are neighbours[start[v]] ... neighbours[start[v + 1] - 1].
struct graph {
  int64_t *start;
  int64_t *neighbours;
};

extern struct graph bfs_graph;
extern int64_t *bfs_tree;
extern int64_t *bfs_vlist;
extern int64_t bfs_tail; // where the next new vertex is put into vlist

#define BFS_OPERATIONS (BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS)

// Degree of a vertex.
static inline int64_t bfs_degree(int64_t v) { return bfs_graph.start[v + 1] - bfs_graph.start[v]; }

// Makes the graph and searches it from its first vertex that has neighbours, serially; returns how many vertices vlist has.
int64_t bfs_search(void);
