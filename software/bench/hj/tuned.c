// SPDX-License-Identifier: Apache-2.0
// Prefetches in two stages: a tuple's bucket, and half the distance later the overflow that this bucket names.
#include "bench.h"
#include "data.h"

#include <stdbool.h>

#define HALF ((BENCH_COROUTINES + 1) / 2)
// Tuples are read in order, some lines ahead of their use.
#define TUPLES_AHEAD 64

static const struct bucket *bucket_of(const struct tuple *tuple) { return &hj_table.buckets[hj_hash(tuple->key)]; }

void bench_run(uint64_t first, uint64_t count) {
  const struct tuple *tuples = hj_relation.tuples + first;
  uint64_t matches = 0, payloads = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (i + 2 * HALF < count) {
      __builtin_prefetch(&tuples[i + 2 * HALF + TUPLES_AHEAD]);
      __builtin_prefetch(bucket_of(&tuples[i + 2 * HALF]));
    }
    if (i + HALF < count)
      __builtin_prefetch(bucket_of(&tuples[i + HALF])->next);
    uint32_t key = tuples[i].key;
    for (const struct bucket *bucket = bucket_of(&tuples[i]); bucket != 0; bucket = bucket->next) {
      for (uint32_t k = 0; k < bucket->count; ++k) {
        bool matched = __builtin_unpredictable(bucket->tuples[k].key == key);
        matches += matched;
        payloads += matched ? bucket->tuples[k].payload : 0;
      }
    }
  }
  hj_matches += matches;
  hj_payloads += payloads;
}
