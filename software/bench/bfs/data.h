// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, one top-down step over part of a level, on a Graph500 graph: Kronecker generator, 16 edges a vertex,
// stored in both directions as compressed rows. bfs_tree holds each vertex's parent (BFS_UNREACHED: none), vlist the reached
// vertices in order. Graph, tree and list lie in far memory. The search runs serially to the first level with enough
// vertices; operation i expands vertex i of that level.
//
// Tasks that claim the same vertex at the same time may both put it into vlist: either parent is right, and a vertex
// expanded twice changes nothing. The list has room for one entry an edge.
#pragma once
#include "mix.h"

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
// Entries of vlist: the level to be expanded begins at bfs_level, new vertices are put at bfs_tail.
extern int64_t bfs_level, bfs_tail;
