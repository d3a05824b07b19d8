// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// vlist is read in order: prefetched ahead, nobody waits for it. A row is worked off in parts of two cache lines: the entries of
// the tree that a part leads to are prefetched together, and the next lines of the row with them.
constexpr int64_t ENTRIES_AHEAD = 64, LINE = 8, PART = 2 * LINE;

static coro::Task expand(uint64_t &next, uint64_t end) {
  const int64_t *start = bfs_graph.start, *neighbours = bfs_graph.neighbours;
  while (next < end) {
    const int64_t *entry = &bfs_vlist[next++];
    __builtin_prefetch(entry + ENTRIES_AHEAD);
    int64_t vertex = *entry;
    co_await coro::Prefetch{&start[vertex]};
    const int64_t *edge = &neighbours[start[vertex]], *row_end = &neighbours[start[vertex + 1]];
    co_await coro::Prefetch{edge, edge + LINE};
    while (edge != row_end) {
      const int64_t *stop = row_end - edge < PART ? row_end : edge + PART;
      for (const int64_t *ahead = edge; ahead != stop; ++ahead)
        __builtin_prefetch(&bfs_tree[*ahead]);
      co_await coro::Prefetch{stop, stop + LINE};
      for (; edge != stop; ++edge) {
        int64_t neighbour = *edge;
        if (bfs_tree[neighbour] == BFS_UNREACHED) {
          bfs_tree[neighbour] = vertex;
          bfs_vlist[bfs_tail++] = neighbour;
        }
      }
    }
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, expand); }
