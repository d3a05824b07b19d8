// SPDX-License-Identifier: Apache-2.0
// Joins of partitions by a histogram: R's tuples are sorted by hash into a buffer, four to a hash, and each tuple of S compares its hash's.
#include "asyncmem.h"
#include "bench.h"
#include "../shared/join.h"

enum { Hashes = JOIN_PARTITION_TUPLES / 4 };

static void join_partitions(uint32_t first, uint32_t end) {
  const struct tuple *r = join_r, *s = join_s;
  const uint32_t *s_begin = join_s_begin;
  struct tuple *sorted = join_sorted;
  uint64_t matches = 0;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint32_t partition = first; partition < end; ++partition) {
    __builtin_is_remote(r);
    __builtin_is_remote(s);
    __builtin_is_remote(s_begin);
    __builtin_is_remote(sorted);
    const struct tuple *own = r + partition * JOIN_PARTITION_TUPLES;
    struct tuple *own_sorted = sorted + partition * JOIN_PARTITION_TUPLES;
    // Counts, then begins of the hashes, one place on; moving a tuple moves its begin to its end.
    uint16_t histogram[Hashes + 2] = {0};
    for (uint32_t i = 0; i < JOIN_PARTITION_TUPLES; ++i)
      ++histogram[(own[i].key >> JOIN_RADIX_BITS) % Hashes + 2];
    for (uint32_t hash = 2; hash < Hashes + 2; ++hash)
      histogram[hash] += histogram[hash - 1];
    for (uint32_t i = 0; i < JOIN_PARTITION_TUPLES; ++i)
      own_sorted[histogram[(own[i].key >> JOIN_RADIX_BITS) % Hashes + 1]++] = own[i];
    const uint32_t s_end = s_begin[partition + 1];
    for (uint32_t i = s_begin[partition]; i < s_end; ++i) {
      const uint32_t key = s[i].key, hash = (key >> JOIN_RADIX_BITS) % Hashes;
      for (uint32_t j = histogram[hash]; j < histogram[hash + 1]; ++j)
        matches += own_sorted[j].key == key;
    }
  }
  join_matches += matches;
}

void bench_run(uint64_t first, uint64_t count) {
  radix_pass(first, count);
  join_partitions(join_partitions_before(first), join_partitions_before(first + count));
}
