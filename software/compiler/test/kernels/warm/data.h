// SPDX-License-Identifier: Apache-2.0
// Far data that a first pass brings into the caches, and what the operations on it leave behind.
#pragma once
#include "bench.h"
#include "mix.h"

#define WARM_WORDS (1ul << WARM_LOG2_WORDS)
#define WARM_EDGES 8ul // of a vertex
#define WARM_VERTICES (WARM_WORDS / WARM_EDGES)
#define WARM_EXPANDED 64ul // vertices before the first operation, so that the next ones are known
#define WARM_PLACE(random) ((random) >> (64 - WARM_LOG2_WORDS))

// Sorted words, a table of keys with open addressing (0: empty), words to be updated, or the neighbours of each vertex.
extern uint64_t *warm_data;
extern uint64_t *warm_found; // what each operation found
// The graph: vertices in the order in which they were reached, and from where each was.
extern uint32_t *warm_order, *warm_parent;
extern uint32_t warm_reached;

#define WARM_UNREACHED UINT32_MAX

static inline uint64_t warm_key(uint64_t operation) { return mix64(operation) | 1; }
