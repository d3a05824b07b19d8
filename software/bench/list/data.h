// SPDX-License-Identifier: Apache-2.0
// Parallel traversal of linked lists: cells of one cache line, chained at random over an array in far memory. A cell
// holds the index of the next one, LIST_END in the last; operation i adds up the indices of list i.
#pragma once
#include "mix.h"

#define LIST_CELLS (1ul << LIST_LOG2_CELLS)
#define LIST_COUNT (LIST_CELLS / LIST_LENGTH)
#define LIST_END (~0ul)

struct cell {
  uint64_t next;
  uint64_t padding[7];
};

extern struct cell *list_cells;
extern uint64_t list_sums[];

// Where the cell at a position of the chained order lies: each step is invertible, so every place is used once.
static inline uint64_t list_place(uint64_t position) {
  const uint64_t mask = LIST_CELLS - 1;
  position = position * 0x9e3779b97f4a7c15u & mask;
  position ^= position >> LIST_LOG2_CELLS / 2;
  position = position * 0xbf58476d1ce4e5b9u & mask;
  return position ^ position >> LIST_LOG2_CELLS / 2;
}

static inline uint64_t list_head(uint64_t operation) { return list_place(operation % LIST_COUNT * LIST_LENGTH); }
