// SPDX-License-Identifier: Apache-2.0
// Which expansions are measured with BFS_LEVEL_SLICE: those that follow each other in the middle of the level with the most
// vertices, where degrees are ordinary and rows short. The tree is as it was when the search came there.
#include "sample.h"
#include "bench.h"
#include "data.h"

// Place of each vertex in vlist.
static int64_t place[BFS_VERTICES];

// Begin and end in vlist of the level with the most vertices.
static int64_t largest_level(int64_t reached, int64_t *end) {
  int64_t most = 0, begin = 0;
  for (int64_t first = 0, next; first < reached; first = next) {
    // The next level begins with the first vertex whose parent is of this one.
    for (next = first + 1; next < reached && place[bfs_tree[bfs_vlist[next]]] < first; ++next)
      ;
    if (next - first > most) {
      most = next - first;
      begin = first;
      *end = next;
    }
  }
  return begin;
}

bool bfs_slice(int64_t reached) {
  for (int64_t i = 0; i < reached; ++i)
    place[bfs_vlist[i]] = i;
  int64_t end = 0, begin = largest_level(reached, &end);
  if (end - begin < BFS_OPERATIONS)
    return false;
  const int64_t first = (begin + end - BFS_OPERATIONS) / 2;
  for (int64_t i = 0; i < reached; ++i)
    if (place[bfs_tree[bfs_vlist[i]]] >= first)
      bfs_tree[bfs_vlist[i]] = BFS_UNREACHED;
  for (int64_t i = 0; i < BFS_OPERATIONS; ++i)
    bfs_vlist[i] = bfs_vlist[first + i];
  bfs_tail = BFS_OPERATIONS;
  return true;
}
