// SPDX-License-Identifier: Apache-2.0
#include "amac.h"
#include "bench.h"
#include "data.h"

// One list under way; the cell at `index` is on its way.
struct walk {
  uint64_t operation, index, sum;
};

static struct walk begin(uint64_t operation) {
  struct walk walk = {operation, list_head(operation), 0};
  amac_prefetch(&list_cells[walk.index]);
  return walk;
}

void bench_run(uint64_t first, uint64_t count) {
  AMAC_RECORDS static struct walk walks[BENCH_COROUTINES];
  const uint64_t end = first + count;
  uint64_t next = first, running = 0;
  while (running < BENCH_COROUTINES && next < end)
    walks[running++] = begin(next++);
  for (uint64_t k = 0; running > 0; k = amac_next(k, running)) {
    struct walk *walk = &walks[k];
    walk->sum += walk->index;
    walk->index = list_cells[walk->index].next;
    if (walk->index != LIST_END) {
      amac_prefetch(&list_cells[walk->index]);
    } else {
      list_sums[walk->operation] = walk->sum;
      if (next < end)
        *walk = begin(next++);
      else
        *walk = walks[--running];
    }
  }
}
