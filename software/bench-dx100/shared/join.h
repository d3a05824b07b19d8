// SPDX-License-Identifier: Apache-2.0
// A parallel radix join, one thread of it: what PRH and PRO have in common. A region is a slice of two of its phases.
//
// The pass of radix partitioning: operation i counts tuple i of R in a histogram and moves it to its partition. The joins of final partitions: those of as
// many tuples as the operations are part of all. Keys of R are 0 ... JOIN_TUPLES - 1, once each; each tuple of S has the key of one, drawn at random. A
// final partition has the keys that are alike in their lower JOIN_RADIX_BITS, of R as many in each. Relations lie in far memory, what is counted in local.
#pragma once
#include "mix.h"

#include <stdbool.h>

#define JOIN_TUPLES (1u << JOIN_LOG2_TUPLES)
#define JOIN_PARTITIONS (1u << JOIN_RADIX_BITS)
#define JOIN_PARTITION_TUPLES (JOIN_TUPLES / JOIN_PARTITIONS) // of R
#define JOIN_FANOUT 128u                                      // partitions of a pass

struct tuple {
  uint32_t key, payload;
};

extern struct tuple *join_input, *join_output; // of the pass
extern uint32_t join_histogram[JOIN_FANOUT];
extern uint32_t join_next[JOIN_FANOUT]; // where each partition's next tuple goes in join_output

extern struct tuple *join_r, *join_s; // in final partitions
extern struct tuple *join_sorted;     // room for R's, of PRH
extern uint32_t *join_s_begin;        // of each partition in join_s; JOIN_PARTITIONS + 1
extern uint64_t join_matches;

// Final partitions joined by operations [0, operation).
static inline uint32_t join_partitions_before(uint64_t operation) {
  return (uint32_t)(operation / JOIN_PARTITION_TUPLES);
}

// Where a key of R has its tuple in its final partition is shuffled: the odd factor takes every place once.
static inline uint32_t join_place(uint32_t key) {
  return (key >> JOIN_RADIX_BITS) * 0x9e3779b1u % JOIN_PARTITION_TUPLES;
}

void radix_pass(uint64_t first, uint64_t count);
