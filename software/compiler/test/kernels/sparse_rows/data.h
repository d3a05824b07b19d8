// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

// Row r has the elements from rows_start[r] to rows_start[r + 1].
extern uint64_t *rows_start;
extern uint32_t *rows_columns;
extern uint64_t *rows_weights, *rows_vector, *rows_product;
