// SPDX-License-Identifier: Apache-2.0
// Frame of every benchmark: set-up on the golden model, checkpoint, warm-up, region of interest, verification.
#include "bench.h"
#include "host.h"

#include <stdio.h>

int main(void) {
  bench_init();
  host_checkpoint();
  bench_run(0, BENCH_WARMUP_OPERATIONS);
  host_roi_begin();
  bench_run(BENCH_WARMUP_OPERATIONS, BENCH_OPERATIONS);
  host_roi_end();
  host_metric(HOST_METRIC_OPERATIONS, BENCH_OPERATIONS);
  host_metric(HOST_METRIC_COROUTINES, BENCH_COROUTINES);
  bool verified = bench_verify(BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS);
  host_metric(HOST_METRIC_VERIFIED, verified);
  if (!verified)
    puts("answer differs from the serial one");
  return verified ? 0 : 1;
}
