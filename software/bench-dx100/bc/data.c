// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "../shared/near_enough.h"

int32_t bc_depth, *bc_depths, *bc_queue;
uint32_t bc_tail;
uint64_t *bc_succ;
float *bc_counts, *bc_all_counts, *bc_deltas, *bc_scores;

static uint32_t slice;

// Shortest paths to each vertex after the first expansions of the search.
static void count_paths(uint32_t expansions, float *counts) {
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v)
    counts[v] = v == 0;
  for (uint32_t i = 0; i < expansions; ++i) {
    const int32_t u = search.order[i];
    for (uint32_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e)
      if (search.depth[graph.neighbours[e]] == search.depth[u] + 1)
        counts[graph.neighbours[e]] += counts[u];
  }
}

// What the vertices behind u depend on it.
static double dependency(int32_t u) {
  double delta = 0;
  for (uint32_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
    const int32_t v = graph.neighbours[e];
    if (search.depth[v] == search.depth[u] + 1)
      delta += (double)bc_all_counts[u] / bc_all_counts[v] * (1 + bc_deltas[v]);
  }
  return delta;
}

static uint32_t words(void) { return graph.offsets[GRAPH_VERTICES] / 64 + 1; }

static float *allocate(void) { return remote_alloc(GRAPH_VERTICES * sizeof(float)); }

void bench_init(void) {
  graph_make();
  graph_search();
  slice = graph_slice(BENCH_END);
  bc_depth = search.depth[search.order[slice]] + 1;
  bc_depths = remote_alloc(GRAPH_VERTICES * sizeof *bc_depths);
  bc_counts = allocate();
  bc_all_counts = allocate();
  bc_deltas = allocate();
  bc_scores = allocate();
  count_paths(slice, bc_counts);
  count_paths(search.reached, bc_all_counts);
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v) {
    bc_depths[v] = graph_is_reached(v, slice) ? search.depth[v] : GRAPH_UNREACHED;
    bc_deltas[v] = bc_scores[v] = 0;
  }
  for (uint32_t i = search.reached; search.depth[search.order[i - 1]] >= bc_depth; --i)
    bc_deltas[search.order[i - 1]] = (float)dependency(search.order[i - 1]);
  // Room for every edge, since a vertex may be put there twice.
  bc_queue = remote_alloc(graph.offsets[GRAPH_VERTICES] * sizeof *bc_queue);
  for (uint32_t i = 0; i < BENCH_END; ++i)
    bc_queue[i] = search.order[slice + i];
  bc_tail = BENCH_END;
  bc_succ = remote_alloc(words() * sizeof *bc_succ);
  for (uint32_t k = 0; k < words(); ++k)
    bc_succ[k] = 0;
}

static bool verify_paths(uint64_t count) {
  static float counts[GRAPH_VERTICES];
  count_paths(slice + count, counts);
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v)
    if (bc_counts[v] != counts[v] ||
        bc_depths[v] != (graph_is_reached(v, slice + count) ? search.depth[v] : GRAPH_UNREACHED))
      return false;
  return graph_is_queue(bc_queue + BENCH_END, bc_tail - BENCH_END, slice, slice + count);
}

// Takes back the bits of the slice's edges; none may be left.
static bool verify_succ(uint64_t count) {
  uint64_t left = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const int32_t u = search.order[slice + i];
    for (uint32_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e)
      bc_succ[e / 64] ^= (uint64_t)(search.depth[graph.neighbours[e]] == bc_depth) << e % 64;
  }
  for (uint32_t k = 0; k < words(); ++k)
    left |= bc_succ[k];
  return left == 0;
}

bool bench_verify(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    const int32_t u = search.order[slice + i];
    if (!near_enough(bc_deltas[u], dependency(u)) || bc_scores[u] != bc_deltas[u])
      return false;
  }
  return verify_paths(count) && verify_succ(count);
}
