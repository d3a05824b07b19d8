// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "../place.h"
#include "asyncmem.h"
#include "bench.h"

skip_list *skip_nodes;
uint64_t skip_results[BENCH_END];

static uint64_t value_of(uint64_t position) { return 3 * position + 1; }

// A quarter of the nodes of each level is also on the next one.
static int height_of(uint64_t position) {
  int height = 1;
  for (uint64_t random = mix64(~position) >> 32; height < SKIP_HEIGHT && random % 4 == 0; random /= 4)
    ++height;
  return height;
}

void bench_init() {
  node *nodes = (node *)remote_alloc(SKIP_NODES * sizeof(node));
  node *head = (node *)remote_alloc(sizeof(node));
  node *last[SKIP_HEIGHT];
  for (node *&of_level : last)
    of_level = head;
  int highest = 1;
  for (uint64_t position = 0; position < SKIP_NODES; ++position) {
    node *made = &nodes[place(position, SKIP_LOG2_NODES)];
    made->key = skip_key(position);
    made->value = value_of(position);
    int height = height_of(position);
    highest = height > highest ? height : highest;
    for (int level = 0; level < height; ++level) {
      last[level]->next[level].store(made, std::memory_order_relaxed);
      last[level] = made;
    }
  }
  for (int level = 0; level < SKIP_HEIGHT; ++level)
    last[level]->next[level].store(nullptr, std::memory_order_relaxed);
  skip_nodes = (skip_list *)remote_alloc(sizeof(skip_list));
  skip_nodes->head = head;
  skip_nodes->height.store(highest, std::memory_order_relaxed);
}

// Sixteen keys are possible for each position, so that the node is at the query's position or the next one.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t position = skip_query(i) / 16;
    position += skip_key(position) < skip_query(i);
    if (skip_results[i] != (position < SKIP_NODES ? value_of(position) : BEHIND_ALL))
      return false;
  }
  return true;
}
