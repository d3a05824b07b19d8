// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// Arcs are read in order, one a cache line: prefetched ahead, nobody waits for them.
constexpr uint64_t ARCS_AHEAD = 32;

static coro::Task price(uint64_t &next, uint64_t end) {
  const arc *arcs = &mcf_network.arcs[MCF_FIRST_ARC];
  pricing found = {};
  while (next < end) {
    const arc *a = &arcs[next++];
    __builtin_prefetch(a + ARCS_AHEAD);
    const node *tail = a->tail, *head = a->head;
    co_await coro::Prefetch{tail, head};
    int64_t violation = mcf_violation(a->state, a->cost - tail->potential + head->potential);
    if (violation > 0) {
      found.candidates += 1;
      found.violation_sum += violation;
      if (violation > found.violation_max)
        found.violation_max = violation;
    }
  }
  mcf_pricing.candidates += found.candidates;
  mcf_pricing.violation_sum += found.violation_sum;
  if (found.violation_max > mcf_pricing.violation_max)
    mcf_pricing.violation_max = found.violation_max;
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, price); }
