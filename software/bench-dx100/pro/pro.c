// SPDX-License-Identifier: Apache-2.0
// Joins of partitions by bucket chaining: a chain for each hash, of places in the partition from 1 on; 0 ends it.
#include "asyncmem.h"
#include "bench.h"
#include "../shared/join.h"

static void join_partitions(uint32_t first, uint32_t end) {
  const struct tuple *r = join_r, *s = join_s;
  const uint32_t *s_begin = join_s_begin;
  uint64_t matches = 0;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint32_t partition = first; partition < end; ++partition) {
    __builtin_is_remote(r);
    __builtin_is_remote(s);
    __builtin_is_remote(s_begin);
    const struct tuple *own = r + partition * JOIN_PARTITION_TUPLES;
    uint16_t bucket[JOIN_PARTITION_TUPLES] = {0}, next[JOIN_PARTITION_TUPLES];
    for (uint16_t i = 0; i < JOIN_PARTITION_TUPLES;) {
      const uint32_t hash = (own[i].key >> JOIN_RADIX_BITS) % JOIN_PARTITION_TUPLES;
      next[i] = bucket[hash];
      bucket[hash] = ++i;
    }
    const uint32_t s_end = s_begin[partition + 1];
    for (uint32_t i = s_begin[partition]; i < s_end; ++i) {
      const uint32_t key = s[i].key;
      for (uint16_t hit = bucket[(key >> JOIN_RADIX_BITS) % JOIN_PARTITION_TUPLES]; hit > 0; hit = next[hit - 1])
        matches += own[hit - 1].key == key;
    }
  }
  join_matches += matches;
}

void bench_run(uint64_t first, uint64_t count) {
  radix_pass(first, count);
  join_partitions(join_partitions_before(first), join_partitions_before(first + count));
}
