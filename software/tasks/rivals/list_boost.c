// SPDX-License-Identifier: Apache-2.0
//
// The benchmark `list` by Boost.Context and prefetches: each task has a stack, and those that run take turns.
#include "bench.h"
#include "data.h"
#include "fcontext.h"
#include "row.h"

typedef struct {
  uint64_t next, end;
} operations;

static void traverse(transfer_t caller) {
  operations *left = caller.data;
  const struct cell *cells = list_cells;
  while (left->next < left->end) {
    const uint64_t operation = left->next++;
    uint64_t sum = 0;
    for (uint64_t index = list_head(operation); index != LIST_END; index = cells[index].next) {
      __builtin_prefetch(&cells[index]);
      caller = jump_fcontext(caller.from, NULL);
      sum += index;
    }
    list_sums[operation] = sum;
  }
  jump_fcontext(caller.from, left); // something: at its end
}

void bench_run(uint64_t first, uint64_t count) {
  static char stacks[BENCH_COROUTINES][BoostStackBytes] __attribute__((aligned(16)));
  operations left = {first, first + count};
  fcontext_t contexts[BENCH_COROUTINES];
  unsigned alive = BENCH_COROUTINES;
  for (unsigned k = 0; k < BENCH_COROUTINES; ++k)
    contexts[k] = make_fcontext(stacks[k] + sizeof stacks[k], sizeof stacks[k], traverse);
  while (alive > 0)
    for (unsigned k = 0; k < BENCH_COROUTINES; ++k)
      if (contexts[k] != NULL) {
        const transfer_t back = jump_fcontext(contexts[k], &left);
        contexts[k] = back.data == NULL ? back.from : NULL;
        alive -= back.data != NULL;
      }
}
