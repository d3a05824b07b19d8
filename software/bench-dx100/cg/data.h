// SPDX-License-Identifier: Apache-2.0
// The sparse matrix times vector of NAS CG: compressed rows of 40 to 71 elements, as many as class S has on average. Operation i is row i. Values are small
// whole numbers, so that sums are exact in any order.
#pragma once
#include <stdint.h>

#define CG_COLUMNS (1u << CG_LOG2_COLUMNS)

extern uint32_t *cg_rows;    // begin of each row in cg_columns and cg_values
extern uint32_t *cg_columns; // of each element
extern double *cg_values, *cg_vector, *cg_product;
