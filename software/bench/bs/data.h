// SPDX-License-Identifier: Apache-2.0
// Binary search: lower bounds of random keys in a sorted array of 2^BS_LOG2_WORDS words in far memory; results are local.
#pragma once
#include "mix.h"

#define BS_WORDS (1ul << BS_LOG2_WORDS)

extern uint64_t *bs_sorted;
extern uint64_t bs_found[];

// The array holds 3i + 1; keys spread over its range and a little beyond, so that about a third of them are present.
static inline uint64_t bs_element(uint64_t index) { return 3 * index + 1; }
static inline uint64_t bs_key(uint64_t operation) { return (mix64(operation) >> 20) % (3 * BS_WORDS + 64); }
