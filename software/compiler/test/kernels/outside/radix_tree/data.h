// SPDX-License-Identifier: Apache-2.0
// An adaptive radix tree over the bytes of 64-bit keys, highest first: nodes of four sizes. A pointer whose lowest bit is set leads to a leaf, which may come
// before all bytes have been looked at. Operation i looks for query i, of which half are there.
#pragma once
#include "mix.h"

#define TREE_KEYS (1ul << TREE_LOG2_KEYS)
#define ABSENT (~0ul)

enum kind { NODE_4, NODE_16, NODE_48, NODE_256 };

struct node {
  uint16_t kind, count;
};

// Which bytes have a child, in no order
struct node_4 {
  struct node head;
  uint8_t bytes[4];
  struct node *children[4];
};

struct node_16 {
  struct node head;
  uint8_t bytes[16];
  struct node *children[16];
};

// The number of a byte's child, counted from 1; 0: none
struct node_48 {
  struct node head;
  uint8_t numbers[256];
  struct node *children[48];
};

struct node_256 {
  struct node head;
  struct node *children[256];
};

struct leaf {
  uint64_t key, value;
};

struct tree {
  struct node *root;
};

extern struct tree *tree;
extern uint64_t tree_results[];

static inline uint8_t byte_of(uint64_t key, unsigned depth) { return (uint8_t)(key >> (56 - 8 * depth)); }
static inline uint64_t tree_key(uint64_t number) { return mix64(~number); }
static inline uint64_t tree_query(uint64_t operation) { return mix64(operation) >> (63 - TREE_LOG2_KEYS); }
