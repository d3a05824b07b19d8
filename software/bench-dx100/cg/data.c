// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "mix.h"

enum { LongestRow = 71 };

uint32_t *cg_rows, *cg_columns;
double *cg_values, *cg_vector, *cg_product;

static uint32_t length_of(uint64_t row) { return LongestRow - (uint32_t)(mix64(row) >> 59); }
static uint32_t column_of(uint64_t element) { return (uint32_t)(mix64(element) >> (64 - CG_LOG2_COLUMNS)); }
static uint32_t value_of(uint64_t element) { return 1 + mix64(~element) % 1000; }
static uint32_t component_of(uint32_t column) { return 1 + column % 1000; }

void bench_init(void) {
  cg_rows = remote_alloc((BENCH_END + 1) * sizeof *cg_rows);
  cg_rows[0] = 0;
  for (uint64_t row = 0; row < BENCH_END; ++row)
    cg_rows[row + 1] = cg_rows[row] + length_of(row);
  const uint32_t elements = cg_rows[BENCH_END];
  cg_columns = remote_alloc(elements * sizeof *cg_columns);
  cg_values = remote_alloc(elements * sizeof *cg_values);
  for (uint32_t k = 0; k < elements; ++k) {
    cg_columns[k] = column_of(k);
    cg_values[k] = value_of(k);
  }
  cg_product = remote_alloc(BENCH_END * sizeof *cg_product);
  cg_vector = remote_alloc(CG_COLUMNS * sizeof *cg_vector);
  for (uint32_t column = 0; column < CG_COLUMNS; ++column)
    cg_vector[column] = component_of(column);
}

// In whole numbers from what the matrix was made of.
bool bench_verify(uint64_t count) {
  uint64_t element = 0;
  for (uint64_t row = 0; row < count; ++row) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < length_of(row); ++k, ++element)
      sum += (uint64_t)value_of(element) * component_of(column_of(element));
    if (cg_product[row] != (double)sum)
      return false;
  }
  return true;
}
