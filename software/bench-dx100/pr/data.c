// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "../shared/near_enough.h"

float *pr_scores, *pr_contributions, *pr_next_contributions;
uint32_t *pr_out_degrees;
double pr_error;

static double score_before(uint64_t v) { return (1 + mix64(v) % 8) / 4.0 / GRAPH_VERTICES; }
static uint32_t out_degree(uint64_t v) { return 1 + mix64(~v) % 32; }

static float *allocate(void) { return remote_alloc(GRAPH_VERTICES * sizeof(float)); }

void bench_init(void) {
  graph_make();
  pr_scores = allocate();
  pr_contributions = allocate();
  pr_next_contributions = allocate();
  pr_out_degrees = remote_alloc(GRAPH_VERTICES * sizeof *pr_out_degrees);
  for (uint32_t v = 0; v < GRAPH_VERTICES; ++v) {
    pr_scores[v] = (float)score_before(v);
    pr_out_degrees[v] = out_degree(v);
    pr_contributions[v] = pr_scores[v] / pr_out_degrees[v];
  }
}

// In double, edge by edge from the last to the first; scores are compared as multiples of their mean.
bool bench_verify(uint64_t count) {
  double error = 0;
  for (uint64_t u = 0; u < count; ++u) {
    double total = 0;
    for (uint32_t e = graph.offsets[u + 1]; e-- > graph.offsets[u];)
      total += score_before(graph.neighbours[e]) / out_degree(graph.neighbours[e]);
    const double score = 0.15 / GRAPH_VERTICES + 0.85 * total;
    error += fabs(score - score_before(u));
    if (!near_enough((double)pr_scores[u] * GRAPH_VERTICES, score * GRAPH_VERTICES) ||
        !near_enough((double)pr_next_contributions[u] * GRAPH_VERTICES, score / out_degree(u) * GRAPH_VERTICES))
      return false;
  }
  return near_enough(pr_error * GRAPH_VERTICES, error * GRAPH_VERTICES);
}
