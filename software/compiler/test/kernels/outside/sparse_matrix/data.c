// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "mix.h"

struct matrix sparse_matrix;
double *sparse_vector, *sparse_product;

enum { MOST = 35 }; // elements of a row

static uint64_t count_of(uint64_t row) { return MOST - (mix64(row) >> 60); }

static uint32_t column_of(uint64_t row, uint64_t k) {
  return (uint32_t)(mix64(row * MOST + k) >> (64 - SPARSE_LOG2_COLUMNS));
}

static uint64_t value_of(uint64_t row, uint64_t k) { return mix64(~(row * MOST + k)) >> 48; }

static uint64_t element_of(uint64_t column) { return column % 1000 + 1; }

void bench_init(void) {
  struct matrix *a = &sparse_matrix;
  a->counts = remote_alloc(BENCH_END * sizeof *a->counts);
  a->columns = remote_alloc(BENCH_END * sizeof *a->columns);
  a->values = remote_alloc(BENCH_END * sizeof *a->values);
  uint32_t *columns = remote_alloc(BENCH_END * MOST * sizeof *columns);
  double *values = remote_alloc(BENCH_END * MOST * sizeof *values);
  for (uint64_t row = 0; row < BENCH_END; ++row) {
    a->counts[row] = (uint8_t)count_of(row);
    a->columns[row] = columns + row * MOST;
    a->values[row] = values + row * MOST;
    for (uint64_t k = 0; k < count_of(row); ++k) {
      a->columns[row][k] = column_of(row, k);
      a->values[row][k] = value_of(row, k);
    }
  }
  sparse_product = remote_alloc(BENCH_END * sizeof *sparse_product);
  sparse_vector = remote_alloc(sizeof *sparse_vector << SPARSE_LOG2_COLUMNS);
  for (uint64_t column = 0; column >> SPARSE_LOG2_COLUMNS == 0; ++column)
    sparse_vector[column] = element_of(column);
}

// In whole numbers from what the matrix was made of, last element first.
bool bench_verify(uint64_t count) {
  for (uint64_t row = BENCH_FIRST; row < BENCH_FIRST + count; ++row) {
    uint64_t sum = 0;
    for (uint64_t k = count_of(row); k-- > 0;)
      sum += value_of(row, k) * element_of(column_of(row, k));
    if (sparse_product[row] != (double)sum)
      return false;
  }
  return true;
}
