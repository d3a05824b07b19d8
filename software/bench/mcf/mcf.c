// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const struct network *net = &mcf_network;
  struct pricing found = mcf_pricing;
  uint64_t candidates = found.candidates;
  int64_t violation_sum = found.violation_sum, violation_max = found.violation_max;
#pragma asyncmem num_task(BENCH_COROUTINES) reduction(+ : candidates, violation_sum) reduction(max : violation_max)
  for (uint64_t i = MCF_FIRST_ARC + first; i < MCF_FIRST_ARC + first + count; ++i) {
    __builtin_is_remote(net->arcs);
    const struct arc *arc = &net->arcs[i];
    const struct node *tail = arc->tail, *head = arc->head;
    __builtin_is_remote(tail);
    __builtin_is_remote(head);
    int64_t violation = mcf_violation(arc->state, arc->cost - tail->potential + head->potential);
    if (violation > 0) {
      candidates += 1;
      violation_sum += violation;
      if (violation > violation_max)
        violation_max = violation;
    }
  }
  mcf_pricing = (struct pricing){candidates, violation_sum, violation_max};
}
