// SPDX-License-Identifier: Apache-2.0
// Edges of a Graph500 graph by number, without state: the Kronecker generator's initiator probabilities are A 0.57, B 0.19,
// C 0.19, D 0.05 (Graph500 specification, section "Generating the edge list"); vertices are renumbered by a bijection.
#pragma once
#include "data.h"

struct edge {
  int64_t from, to;
};

// Invertible steps on BFS_LOG2_VERTICES bits.
static inline int64_t graph500_renumber(uint64_t vertex) {
  const uint64_t mask = BFS_VERTICES - 1;
  vertex = vertex * 0x9e3779b97f4a7c15u & mask;
  vertex ^= vertex >> BFS_LOG2_VERTICES / 2;
  return (int64_t)(vertex * 0xbf58476d1ce4e5b9u & mask);
}

static inline struct edge graph500_edge(uint64_t number) {
  // Eight random bits a level, in units of 1/256.
  enum { A = 146, B = 49, C = 49, LevelsPerWord = 8 };
  uint64_t from = 0, to = 0, random = 0;
  for (unsigned level = 0; level < BFS_LOG2_VERTICES; ++level) {
    if (level % LevelsPerWord == 0)
      random = mix64(number * LevelsPerWord + level / LevelsPerWord);
    unsigned choice = random & 255;
    random >>= 8;
    from = 2 * from + (choice >= A + B);
    to = 2 * to + ((choice >= A && choice < A + B) || choice >= A + B + C);
  }
  return (struct edge){graph500_renumber(from), graph500_renumber(to)};
}
