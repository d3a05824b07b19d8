// SPDX-License-Identifier: Apache-2.0
// Keys below 2^NAS_IS_LOG2_KEYS, each the mean of four random ones as NAS IS has them, and a counter for each possible key; both are in far
// memory.
#pragma once
#include <stdint.h>

extern int *nas_is_counters;
extern const int *nas_is_keys; // of the operations from 0 to BENCH_END
