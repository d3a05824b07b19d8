// SPDX-License-Identifier: Apache-2.0
// HPCC RandomAccess: 64-bit updates at random places of a table of 2^GUPS_LOG2_WORDS words in far memory. One of two updates that
// meet may get lost, as HPCC permits for 1 % of them.
#pragma once
#include "mix.h"

#define GUPS_WORDS (1ul << GUPS_LOG2_WORDS)

extern uint64_t *gups_table;

static inline uint64_t gups_index(uint64_t random) { return random >> (64 - GUPS_LOG2_WORDS); }
