// SPDX-License-Identifier: Apache-2.0
// Prefetches in two stages: an arc, and half the distance later the two nodes that it names.
#include "bench.h"
#include "data.h"

#include <stdbool.h>

#define HALF ((BENCH_COROUTINES + 1) / 2)

void bench_run(uint64_t first, uint64_t count) {
  const struct arc *arcs = mcf_network.arcs + MCF_FIRST_ARC + first;
  uint64_t candidates = mcf_pricing.candidates;
  int64_t violation_sum = mcf_pricing.violation_sum, violation_max = mcf_pricing.violation_max;
  for (uint64_t i = 0; i < count; ++i) {
    if (i + 2 * HALF < count)
      __builtin_prefetch(&arcs[i + 2 * HALF]);
    if (i + HALF < count) {
      __builtin_prefetch(arcs[i + HALF].tail);
      __builtin_prefetch(arcs[i + HALF].head);
    }
    const struct arc *arc = &arcs[i];
    int64_t violation = mcf_violation(arc->state, arc->cost - arc->tail->potential + arc->head->potential);
    bool violated = __builtin_unpredictable(violation > 0);
    candidates += violated;
    violation_sum += violated ? violation : 0;
    violation_max = violation > violation_max ? violation : violation_max;
  }
  mcf_pricing = (struct pricing){candidates, violation_sum, violation_max};
}
