// SPDX-License-Identifier: Apache-2.0
#include "graph.h"
#include "asyncmem.h"
#include "host.h"

#include <stdio.h>

enum { LevelsMax = 64 };

struct graph graph;
struct search search;

static uint32_t degree_of(uint32_t v) { return 8 + mix64(~(uint64_t)v) % 17; }

void graph_make(void) {
  graph.offsets = remote_alloc((GRAPH_VERTICES + 1) * sizeof *graph.offsets);
  graph.offsets[0] = 0;
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v)
    graph.offsets[v + 1] = graph.offsets[v] + degree_of(v);
  graph.neighbours = remote_alloc(graph.offsets[GRAPH_VERTICES] * sizeof *graph.neighbours);
  for (uint32_t e = 0; e < graph.offsets[GRAPH_VERTICES]; ++e)
    graph.neighbours[e] = (int32_t)(mix64(e) >> (64 - GRAPH_LOG2_VERTICES));
}

static int32_t *allocate(void) { return remote_alloc(GRAPH_VERTICES * sizeof(int32_t)); }

static void reach(int32_t vertex, int32_t parent, int32_t depth) {
  search.parent[vertex] = parent;
  search.depth[vertex] = depth;
  search.place[vertex] = (int32_t)search.reached;
  search.order[search.reached++] = vertex;
}

void graph_search(void) {
  search = (struct search){allocate(), allocate(), allocate(), allocate(), 0};
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v)
    search.depth[v] = GRAPH_UNREACHED;
  reach(0, 0, 0);
  for (uint32_t i = 0; i < search.reached; ++i) {
    int32_t u = search.order[i];
    for (uint32_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e)
      if (search.depth[graph.neighbours[e]] == GRAPH_UNREACHED)
        reach(graph.neighbours[e], u, search.depth[u] + 1);
  }
}

uint32_t graph_slice(uint32_t operations) {
  uint32_t begin[LevelsMax + 1] = {0}, levels = 0;
  for (uint32_t i = 0; i < search.reached && levels < LevelsMax; ++i)
    if (search.depth[search.order[i]] == (int32_t)levels)
      begin[levels++] = i;
  begin[levels] = search.reached;
  uint32_t largest = 1;
  for (uint32_t level = 1; level < levels; ++level)
    if (begin[level + 1] - begin[level] > begin[largest + 1] - begin[largest])
      largest = level;
  const uint32_t size = begin[largest] - begin[largest - 1];
  if (size < operations) {
    printf("graph: the level has %u vertices; use fewer operations\n", size);
    host_exit(1);
  }
  return begin[largest - 1] + (size - operations) / 2;
}

bool graph_is_reached(uint32_t vertex, uint32_t place) {
  return vertex == 0 || (search.depth[vertex] > 0 && search.place[search.parent[vertex]] < (int32_t)place);
}

bool graph_is_queue(const int32_t *queue, uint32_t length, uint32_t first, uint32_t end) {
  static uint64_t listed[GRAPH_VERTICES / 64];
  for (uint32_t i = 0; i < length; ++i) {
    const uint32_t v = (uint32_t)queue[i];
    if (v >= GRAPH_VERTICES || graph_is_reached(v, first) || !graph_is_reached(v, end))
      return false;
    listed[v / 64] |= 1ul << v % 64;
  }
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v)
    if ((listed[v / 64] >> v % 64 & 1) != (graph_is_reached(v, end) && !graph_is_reached(v, first)))
      return false;
  return length > 0;
}
