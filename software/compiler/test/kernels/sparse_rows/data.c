// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "host.h"
#include "mix.h"

uint64_t *rows_start;
uint32_t *rows_columns;
uint64_t *rows_weights, *rows_vector, *rows_product;

static uint64_t value(uint64_t column) { return mix64(column) >> 8; }

void bench_init(void) {
  rows_start = remote_alloc((BENCH_END + 1) * sizeof *rows_start);
  rows_start[0] = 0;
  for (uint64_t r = 0; r < BENCH_END; ++r)
    rows_start[r + 1] = rows_start[r] + (r == BENCH_FIRST + BENCH_WARMUP_OPERATIONS ? ROWS_LONGEST : ROWS_OTHERS);
  uint64_t elements = rows_start[BENCH_END];
  rows_columns = remote_alloc(elements * sizeof *rows_columns);
  rows_weights = remote_alloc(elements * sizeof *rows_weights);
  rows_product = remote_alloc(BENCH_END * sizeof *rows_product);
  rows_vector = remote_alloc(sizeof *rows_vector << ROWS_LOG2_VECTOR);
  for (uint64_t e = 0; e < elements; ++e) {
    rows_columns[e] = (uint32_t)(mix64(e ^ 0x5a5a) >> (64 - ROWS_LOG2_VECTOR));
    rows_weights[e] = mix64(~e) | 1;
  }
  for (uint64_t c = 0; c >> ROWS_LOG2_VECTOR == 0; ++c)
    rows_vector[c] = value(c);
}

// Row by row from what the data were made of, backwards, without the arrays that the loop reads.
bool bench_verify(uint64_t count) {
  uint64_t errors = 0;
  for (uint64_t r = BENCH_FIRST; r < BENCH_FIRST + count; ++r) {
    uint64_t sum = 0;
    for (uint64_t e = rows_start[r + 1]; e-- > rows_start[r];)
      sum += (mix64(~e) | 1) * value(mix64(e ^ 0x5a5a) >> (64 - ROWS_LOG2_VECTOR));
    errors += rows_product[r] != sum;
  }
  host_metric(HOST_METRIC_FIRST_FREE, errors);
  return errors == 0;
}
