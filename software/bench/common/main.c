// SPDX-License-Identifier: Apache-2.0
// Frame of every benchmark: set-up on the golden model, checkpoint, warm-up, region of interest, verification.
// Programs built for counting (tools/nhg/counts.py) also report switches and context operations of the region.
#include "asyncmem.h"
#include "bench.h"
#include "host.h"

#include <stdio.h>

// This file is linked first: a step moves the benchmark's code by 17 cache lines and a word, its data by two pages.
#define CODE_STEP_BYTES 1092
#define TEXT_OF(macro) #macro
#define SKIP(steps, bytes) ".text\n\t.skip " TEXT_OF(steps) " * " TEXT_OF(bytes)
__asm__(SKIP(BENCH_PLACEMENT, CODE_STEP_BYTES));

static uint64_t value_of(const uint64_t *counter) { return counter ? *counter : 0; }

int main(void) {
  for (int step = 0; step < BENCH_PLACEMENT; ++step)
    remote_alloc(1);
  bench_init();
  host_checkpoint();
  bench_run(BENCH_FIRST, BENCH_WARMUP_OPERATIONS);
  const uint64_t switches = value_of(&__asyncmem_switches), context_ops = value_of(&__asyncmem_context_ops);
  host_roi_begin();
  bench_run(BENCH_FIRST + BENCH_WARMUP_OPERATIONS, BENCH_OPERATIONS);
  host_roi_end();
  host_metric(HOST_METRIC_OPERATIONS, BENCH_OPERATIONS);
  host_metric(HOST_METRIC_COROUTINES, BENCH_COROUTINES);
  host_metric(HOST_METRIC_SWITCHES, value_of(&__asyncmem_switches) - switches);
  host_metric(HOST_METRIC_CONTEXT_OPS, value_of(&__asyncmem_context_ops) - context_ops);
  bool verified = bench_verify(BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS);
  host_metric(HOST_METRIC_VERIFIED, verified);
  if (!verified)
    puts("answer differs from the serial one");
  return verified ? 0 : 1;
}
