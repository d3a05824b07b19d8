// SPDX-License-Identifier: Apache-2.0
//
// A graph in far memory, a vertex a line, and a mark for each vertex, far too; some vertices cannot be reached from the first.
#pragma once
#include "check.h"
#include "remote.h"

enum { Vertices = 48 * SCALE, Walkers = 12, Degree = 6, Locks = 4 };

typedef struct {
  uint32_t degree, edges[15];
} vertex;

static vertex *graph;
static uint64_t *marks; // 0: not seen yet, else 1 + the vertex that led there

static inline void make_graph(void) {
  graph = (vertex *)remote_alloc(Vertices * sizeof(vertex));
  marks = (uint64_t *)remote_alloc(Vertices * sizeof(uint64_t));
  for (uint32_t v = 0; v < Vertices; ++v) {
    marks[v] = 0;
    graph[v].degree = (uint32_t)(scattered(v) % Degree);
    for (uint32_t e = 0; e < graph[v].degree; ++e)
      graph[v].edges[e] = (uint32_t)(scattered(v * Degree + e) % Vertices);
  }
  graph[0].degree = Degree;
  for (uint32_t e = 0; e < Degree; ++e)
    graph[0].edges[e] = e + 1;
}

// Each reachable vertex was walked once, and its mark names a neighbour that was reached; no other one has a mark.
static inline void check_marks(uint64_t walked) {
  static bool reached[Vertices];
  static uint32_t list[Vertices];
  uint64_t count = 1;
  reached[0] = true;
  list[0] = 0;
  for (uint64_t k = 0; k < count; ++k)
    for (uint32_t e = 0; e < graph[list[k]].degree; ++e) {
      const uint32_t other = graph[list[k]].edges[e];
      if (!reached[other]) {
        reached[other] = true;
        list[count++] = other;
      }
    }
  CHECK(walked == count && count > Vertices / 2 && count < Vertices);
  for (uint32_t v = 1; v < Vertices; ++v) {
    CHECK((marks[v] != 0) == reached[v]);
    bool leads = !reached[v];
    for (uint32_t e = 0; !leads && e < graph[marks[v] - 1].degree; ++e)
      leads = graph[marks[v] - 1].edges[e] == v;
    CHECK(leads);
  }
}
