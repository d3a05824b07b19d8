// SPDX-License-Identifier: Apache-2.0
// The top-down step of GAP's breadth-first search. Operation i expands vertex i of the queue, and finds the tree as it was when the search came there.
//
// Tasks that claim the same vertex at the same time may both put it into the queue, where GAP compares and swaps: either parent is right, and a vertex that
// is expanded twice changes nothing.
#pragma once
#include "../shared/graph.h"

extern int32_t *bfs_parent; // negative: not reached
extern int32_t *bfs_queue;
extern uint32_t bfs_tail; // where the next vertex is put into the queue
