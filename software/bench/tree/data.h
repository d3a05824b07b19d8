// SPDX-License-Identifier: Apache-2.0
// Sums over boxes of a k-d tree of points in the plane, by recursion. A node is one cache line in far memory, at a
// random place; the leaves are all points of a square of TREE_SIDE x TREE_SIDE. Operation i adds up the values of the
// points of box i.
#pragma once
#include "mix.h"

#define TREE_LOG2_POINTS (2 * TREE_LOG2_SIDE)
#define TREE_SIDE (1u << TREE_LOG2_SIDE)
#define TREE_NODES (2ul << TREE_LOG2_POINTS)
#define TREE_ROOT tree_place(1)

#define TREE_LEAF (~0ul)

// Points below `split` on the node's axis (0: x, 1: y) are in the left subtree. A leaf has TREE_LEAF as its left and the
// value of its point as its right subtree.
struct tree_node {
  uint64_t left, right;
  uint32_t split, axis;
  uint32_t padding[10];
};

// Corners, both inside.
struct box {
  uint32_t low_x, low_y, high_x, high_y;
};

extern struct tree_node *tree_nodes;
extern uint64_t tree_sums[];

// Where the node of a number lies, root 1, children 2n and 2n + 1: each step is invertible.
static inline uint64_t tree_place(uint64_t number) {
  const uint64_t mask = TREE_NODES - 1;
  number = number * 0x9e3779b97f4a7c15u & mask;
  number ^= number >> (TREE_LOG2_POINTS + 1) / 2;
  number = number * 0xbf58476d1ce4e5b9u & mask;
  return number ^ number >> (TREE_LOG2_POINTS + 1) / 2;
}

static inline uint64_t tree_value(uint32_t x, uint32_t y) { return mix64((uint64_t)y << 32 | x); }

static inline struct box tree_box(uint64_t operation) {
  uint64_t random = mix64(operation);
  uint32_t x = random % (TREE_SIDE - TREE_BOX_SIDE + 1);
  uint32_t y = (random >> 32) % (TREE_SIDE - TREE_BOX_SIDE + 1);
  return (struct box){x, y, x + TREE_BOX_SIDE - 1, y + TREE_BOX_SIDE - 1};
}
