// SPDX-License-Identifier: Apache-2.0
// A skip list that writers could extend while it is read: its pointers are atomic. Nodes lie in random order, two cache lines each. Operation i looks for the
// first node whose key is not below query i.
#pragma once
#include "mix.h"
#include <atomic>

#define SKIP_NODES (1ul << SKIP_LOG2_NODES)

constexpr int SKIP_HEIGHT = 12;
constexpr uint64_t BEHIND_ALL = ~0ul;

struct node {
  uint64_t key, value;
  std::atomic<node *> next[SKIP_HEIGHT];
  uint64_t padding[2];
};

struct skip_list {
  node *head;
  std::atomic<int> height;
};

extern skip_list *skip_nodes;
extern uint64_t skip_results[];

static inline uint64_t skip_key(uint64_t position) { return 16 * position + (mix64(position) >> 60); }
static inline uint64_t skip_query(uint64_t operation) { return mix64(~operation) >> (60 - SKIP_LOG2_NODES); }
