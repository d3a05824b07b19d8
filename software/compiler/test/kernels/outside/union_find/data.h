// SPDX-License-Identifier: Apache-2.0
// Trees of vertices, joined by edges: a root is its own parent, and the smallest vertex of its tree. Operation i joins the trees of the ends of edge i.
#pragma once
#include <stdint.h>

struct edge {
  uint32_t one, other;
};

extern uint32_t *union_parents;
extern struct edge *union_edges;
