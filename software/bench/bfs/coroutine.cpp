// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// vlist is read in order: prefetched ahead, nobody waits for it. Rows are, too: a prefetch at each new cache line covers what
// follows.
constexpr int64_t ENTRIES_AHEAD = 64;

static bool begins_line(const void *address) { return reinterpret_cast<uintptr_t>(address) % 64 == 0; }

static coro::Task expand(uint64_t &next, uint64_t end) {
  const int64_t *start = bfs_graph.start, *neighbours = bfs_graph.neighbours;
  while (next < end) {
    const int64_t *entry = &bfs_vlist[bfs_level + next++];
    __builtin_prefetch(entry + ENTRIES_AHEAD);
    int64_t vertex = *entry;
    co_await coro::Prefetch{&start[vertex]};
    const int64_t *row = &neighbours[start[vertex]], *row_end = &neighbours[start[vertex + 1]];
    for (const int64_t *edge = row; edge != row_end; ++edge) {
      if (edge == row || begins_line(edge))
        co_await coro::Prefetch{edge};
      int64_t neighbour = *edge;
      co_await coro::Prefetch{&bfs_tree[neighbour]};
      if (bfs_tree[neighbour] == BFS_UNREACHED) {
        bfs_tree[neighbour] = vertex;
        bfs_vlist[bfs_tail++] = neighbour;
      }
    }
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, expand); }
