// SPDX-License-Identifier: Apache-2.0
// Whose turn it is among the records of a hand-written state machine. Cycles spent on lines of this file count as scheduler (tools/nhg/parts.py).
#pragma once
#include <stdint.h>

// The record after `k` of those `running`: they take turns.
static inline uint64_t amac_next(uint64_t k, uint64_t running) { return k + 1 < running ? k + 1 : 0; }
