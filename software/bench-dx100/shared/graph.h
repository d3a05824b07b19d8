// SPDX-License-Identifier: Apache-2.0
// A uniform random graph as compressed rows, and one breadth-first search of it: what BFS, PR and BC stand on, as GAP's generator makes it with -u. Rows have
// 8 to 24 neighbours, 16 on average. All of it lies in far memory.
#pragma once
#include "mix.h"

#include <stdbool.h>

#define GRAPH_VERTICES (1u << GRAPH_LOG2_VERTICES)
#define GRAPH_UNREACHED (-1)

// Neighbours of v are neighbours[offsets[v]] ... neighbours[offsets[v + 1] - 1].
struct graph {
  uint32_t *offsets;
  int32_t *neighbours;
};

// A whole search from vertex 0: vertices in the order in which they are reached, and of each vertex place in it, parent and depth.
struct search {
  int32_t *order, *place, *parent, *depth;
  uint32_t reached;
};

extern struct graph graph;
extern struct search search;

void graph_make(void);
void graph_search(void);
// Where operation 0 of a region is in `search.order`: `operations` expansions that follow each other in the middle of the level that finds the largest
// one. Ends the program when the level is shorter.
uint32_t graph_slice(uint32_t operations);
// Whether the vertex is reached before the one at a place of the order is expanded.
bool graph_is_reached(uint32_t vertex, uint32_t place);
// Whether a queue holds the vertices that the expansions at places [first, end) reach, each at least once, and nothing else. For one call a program.
bool graph_is_queue(const int32_t *queue, uint32_t length, uint32_t first, uint32_t end);
