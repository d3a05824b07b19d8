// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "host.h"
#include "mix.h"

int *nas_is_counters;
const int *nas_is_keys;

void bench_init(void) {
  nas_is_counters = remote_alloc(sizeof(int) << NAS_IS_LOG2_KEYS);
  for (uint64_t i = 0; i >> NAS_IS_LOG2_KEYS == 0; ++i)
    nas_is_counters[i] = 0;
  int *keys = remote_alloc(BENCH_END * sizeof(int));
  for (uint64_t i = 0; i < BENCH_END; ++i) {
    uint64_t sum = 0;
    for (uint64_t part = 0; part < 4; ++part)
      sum += mix64(4 * i + part) >> (64 - NAS_IS_LOG2_KEYS);
    keys[i] = (int)(sum / 4);
  }
  nas_is_keys = keys;
}

// Each key counted down once must leave nothing: an update that was lost, or went to another counter, shows at its own one.
bool bench_verify(uint64_t count) {
  int *counters = nas_is_counters;
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i)
    --counters[nas_is_keys[i]];
  uint64_t errors = 0;
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i)
    errors += counters[nas_is_keys[i]] != 0;
  host_metric(HOST_METRIC_FIRST_FREE, errors);
  return errors == 0;
}
