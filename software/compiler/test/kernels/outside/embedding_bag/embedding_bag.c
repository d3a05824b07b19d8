// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const float *weights = bag_weights;
  const uint32_t *indices = bag_indices;
  const uint64_t *offsets = bag_offsets;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(weights);
#ifndef FIRST_MARKS
    __builtin_is_remote(indices);
    __builtin_is_remote(offsets);
#endif
    float *sums = bag_sums[i];
    for (uint64_t column = 0; column < BAG_COLUMNS; ++column)
      sums[column] = 0;
    for (uint64_t element = offsets[i]; element < offsets[i + 1]; ++element) {
      const float *row = weights + (uint64_t)indices[element] * BAG_COLUMNS;
      for (uint64_t column = 0; column < BAG_COLUMNS; ++column)
        sums[column] += row[column];
    }
  }
}
