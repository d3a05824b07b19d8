// SPDX-License-Identifier: Apache-2.0
// A sparse matrix, row by row: each row has an array of its own of columns and one of values. Operation i is a row of the product with a vector. Values are
// small whole numbers, so that sums are exact in any order.
#pragma once
#include <stdint.h>

struct matrix {
  uint8_t *counts;
  uint32_t **columns;
  double **values;
};

extern struct matrix sparse_matrix;
extern double *sparse_vector, *sparse_product;
