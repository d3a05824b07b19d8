// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

_Static_assert(MCF_FIRST_ARC + BENCH_END <= MCF_ARCS, "one arc an operation");
_Static_assert(sizeof(struct node) == 64 && sizeof(struct arc) == 64, "one cache line each");

struct network mcf_network;
struct pricing mcf_pricing;

// Tree arcs lie at regular distances among the others.
static struct arc *tree_arc(uint64_t node) { return &mcf_network.arcs[node * (MCF_ARCS / MCF_NODES)]; }

// Node 0 is the root; every other node hangs below an earlier one, by an arc from or to it.
static void make_tree(void) {
  struct node *nodes = mcf_network.nodes;
  nodes[0] = (struct node){0};
  for (uint64_t i = 1; i < MCF_NODES; ++i) {
    uint64_t random = mix64(i);
    struct node *parent = &nodes[(random >> 8) % i];
    struct arc *arc = tree_arc(i);
    bool upwards = random & 1;
    arc->tail = upwards ? &nodes[i] : parent;
    arc->head = upwards ? parent : &nodes[i];
    arc->state = ARC_BASIC;
    int64_t potential = upwards ? parent->potential + arc->cost : parent->potential - arc->cost;
    nodes[i] = (struct node){.potential = potential, .parent = parent, .basic_arc = arc, .depth = parent->depth + 1};
  }
}

void bench_init(void) {
  mcf_network.nodes = remote_alloc(MCF_NODES * sizeof(struct node));
  mcf_network.arcs = remote_alloc(MCF_ARCS * sizeof(struct arc));
  for (uint64_t i = 0; i < MCF_ARCS; ++i) {
    uint64_t random = mix64(~i);
    mcf_network.arcs[i] = (struct arc){
        .cost = random % MCF_COST_MAX,
        .tail = &mcf_network.nodes[(random >> 10) % MCF_NODES],
        .head = &mcf_network.nodes[(random >> 36) % MCF_NODES],
        .state = random >> 63 ? ARC_AT_UPPER : ARC_AT_LOWER,
        .capacity = 1,
    };
  }
  make_tree();
}

// The same pass over the same network; potentials must still fit the basic arcs.
bool bench_verify(uint64_t count) {
  struct pricing expected = {0};
  const uint64_t first = MCF_FIRST_ARC + BENCH_FIRST;
  for (uint64_t i = first; i < first + count; ++i) {
    const struct arc *arc = &mcf_network.arcs[i];
    int64_t reduced_cost = arc->cost - arc->tail->potential + arc->head->potential;
    if (arc->state == ARC_BASIC && reduced_cost != 0)
      return false;
    int64_t violation = mcf_violation(arc->state, reduced_cost);
    if (violation > 0) {
      ++expected.candidates;
      expected.violation_sum += violation;
      if (violation > expected.violation_max)
        expected.violation_max = violation;
    }
  }
  return expected.candidates == mcf_pricing.candidates && expected.violation_sum == mcf_pricing.violation_sum &&
         expected.violation_max == mcf_pricing.violation_max;
}
