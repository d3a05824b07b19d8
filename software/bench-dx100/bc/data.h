// SPDX-License-Identifier: Apache-2.0
// Betweenness centrality after Brandes, as GAP has it: one loop counts the shortest paths on the way out, the other adds up dependencies on the way back.
// Operation i is vertex i of the queue, in each of the two loops. The first finds depths and counts as they were when the search came there; the second
// those of the whole search, which it would find later.
//
// Tasks that reach the same vertex at the same time may both put it into the queue, where GAP compares and swaps; both write the same depth.
#pragma once
#include "../shared/graph.h"

extern int32_t bc_depth;   // of what the slice reaches
extern int32_t *bc_depths; // GRAPH_UNREACHED: not reached
extern int32_t *bc_queue;
extern uint32_t bc_tail;     // where the next vertex is put into the queue
extern float *bc_counts;     // shortest paths to each vertex so far; whole numbers
extern uint64_t *bc_succ;    // a bit for each edge that is on a shortest path
extern float *bc_all_counts; // of the whole search
extern float *bc_deltas, *bc_scores;
