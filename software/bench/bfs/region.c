// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#include "data.h"
#include "host.h"
#include "sample.h"

#include <stdio.h>

void bench_init(void) {
#ifdef BFS_LEVEL_SLICE
  const bool enough = bfs_slice(bfs_search());
#else
  const bool enough = bfs_sample(bfs_search());
#endif
  if (!enough) {
    puts("bfs: the search has not enough vertices; use fewer operations");
    host_exit(1);
  }
}
