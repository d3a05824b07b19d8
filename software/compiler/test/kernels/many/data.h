// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "mix.h"
#include <stdint.h>

enum { WORDS = 1 << 20, VERTICES = 1 << 17, DEGREE = 8, BUCKETS = 1 << 15, ITEMS = 1 << 17, CELLS = 1 << 18, NODES = 70000, TOWERS = 1 << 17, LEVELS = 6 };

struct node { // of a B+-tree
  uint32_t keys[15], count, child[16];
};
struct item { // of a hash chain
  uint64_t key[2], value;
  struct item *next;
};
struct tower { // of a skip list; the first one is in front of all keys, and 0 behind each level's last
  uint64_t key;
  uint32_t next[LEVELS];
};
struct cell {
  uint64_t words[4];
};

// Far; a scale has what its loop uses.
extern uint64_t *many_words, *many_others; // WORDS each
extern uint8_t *many_text;                 // 8 bytes for each word
extern uint32_t *many_start, *many_edges;  // vertex v has the edges from many_start[v] to many_start[v + 1]
extern uint32_t *many_labels, *many_parents;
extern double *many_ranks, *many_next_ranks;
extern struct node *many_nodes;
extern struct item **many_buckets;
extern struct cell *many_from, *many_to;
extern struct tower *many_towers;

#if MANY_UNTIL || MANY_LISTED
extern uint32_t many_places[MANY_PLACES]; // of words, near
#endif
extern uint64_t many_result; // of reductions

static inline uint64_t key_of(uint64_t i) { return mix64(i * 77 + 5); }
