// SPDX-License-Identifier: Apache-2.0
// Counting of keys, the loop of NAS IS without buckets. Keys are bell-shaped, the mean of four random numbers, as in NPB. Operation i counts key i.
#pragma once
#include <stdint.h>

#define IS_MAX_KEY (1u << IS_LOG2_MAX_KEY)

extern uint32_t *is_keys, *is_counts;
