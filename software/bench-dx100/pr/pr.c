// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

#include <math.h>

void bench_run(uint64_t first, uint64_t count) {
  const uint32_t *offsets = graph.offsets, *out_degrees = pr_out_degrees;
  const int32_t *neighbours = graph.neighbours;
  const float *contributions = pr_contributions;
  float *scores = pr_scores, *next_contributions = pr_next_contributions;
  double error = pr_error;
#pragma asyncmem num_task(BENCH_COROUTINES) reduction(+ : error)
  for (uint64_t u = first; u < first + count; ++u) {
    __builtin_is_remote(offsets);
    __builtin_is_remote(out_degrees);
    __builtin_is_remote(neighbours);
    __builtin_is_remote(contributions);
    __builtin_is_remote(scores);
    __builtin_is_remote(next_contributions);
    const uint32_t end = offsets[u + 1];
    float total = 0;
    for (uint32_t e = offsets[u]; e < end; ++e)
      total += contributions[neighbours[e]];
    const float before = scores[u];
    const float score = PR_BASE + PR_DAMPING * total;
    scores[u] = score;
    error += fabsf(score - before);
    next_contributions[u] = score / out_degrees[u];
  }
  pr_error = error;
}
