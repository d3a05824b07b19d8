// SPDX-License-Identifier: Apache-2.0
// Minimum-cost flow by network simplex, pricing pass: our own kernel with the memory behaviour of SPEC's 505.mcf, not its
// code. The network is a spanning tree of basic arcs, which fixes the nodes' potentials, and non-basic arcs at
// their lower or upper bound. Pricing looks at each arc and both of its nodes and adds up which non-basic arcs would
// lower the cost. Nodes and arcs lie in far memory. Operation i prices arc MCF_FIRST_ARC + i: parents of the first nodes are
// among the first nodes and stay in the caches, so that a region at the beginning would not stand for the whole pass.
#pragma once
#include "mix.h"

#define MCF_NODES (1ul << MCF_LOG2_NODES)
#define MCF_ARCS (1ul << MCF_LOG2_ARCS)
#define MCF_COST_MAX 1000

enum arc_state { ARC_BASIC, ARC_AT_LOWER, ARC_AT_UPPER };

struct arc;

struct node {
  int64_t potential;
  struct node *parent; // in the tree; null at the root
  struct arc *basic_arc;
  uint64_t depth;
  int64_t supply;
  int64_t flow; // on basic_arc
  uint64_t padding[2];
};

struct arc {
  int64_t cost;
  struct node *tail, *head;
  int64_t state; // enum arc_state
  int64_t flow, capacity;
  uint64_t padding[2];
};

struct network {
  struct node *nodes;
  struct arc *arcs;
};

// What pricing found: arcs that violate optimality, the sum of their reduced costs' magnitudes and the largest of them.
struct pricing {
  uint64_t candidates;
  int64_t violation_sum;
  int64_t violation_max;
};

extern struct network mcf_network;
extern struct pricing mcf_pricing;

// Positive where bringing the arc into the basis lowers the cost.
static inline int64_t mcf_violation(int64_t state, int64_t reduced_cost) {
  return state == ARC_AT_LOWER ? -reduced_cost : state == ARC_AT_UPPER ? reduced_cost : 0;
}
