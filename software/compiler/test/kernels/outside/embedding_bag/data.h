// SPDX-License-Identifier: Apache-2.0
// An embedding bag: operation i adds up the rows of a table whose numbers are indices[offsets[i]] to indices[offsets[i + 1] - 1]. Weights are small whole
// numbers, so that sums are exact in any order.
#pragma once
#include <stdint.h>

#define BAG_ROWS (1ul << BAG_LOG2_ROWS)
#define BAG_COLUMNS 32

extern float *bag_weights;
extern uint32_t *bag_indices;
extern uint64_t *bag_offsets;
extern float bag_sums[][BAG_COLUMNS];
