// SPDX-License-Identifier: Apache-2.0
#include "amac.h"
#include "bench.h"
#include "data.h"

// Tuples are read in order, some lines ahead of their use.
#define TUPLES_AHEAD 64

// One probe in flight: its key and the bucket that is on its way.
struct probe {
  const struct bucket *bucket;
  uint32_t key;
};

static struct probe begin(const struct tuple *tuple) {
  __builtin_prefetch(tuple + TUPLES_AHEAD);
  struct probe probe = {&hj_table.buckets[hj_hash(tuple->key)], tuple->key};
  amac_prefetch(probe.bucket);
  return probe;
}

void bench_run(uint64_t first, uint64_t count) {
  AMAC_RECORDS static struct probe probes[BENCH_COROUTINES];
  const struct tuple *next = hj_relation.tuples + first, *end = next + count;
  uint64_t running = 0, matches = 0, payloads = 0;
  while (running < BENCH_COROUTINES && next != end)
    probes[running++] = begin(next++);
  for (uint64_t k = 0; running > 0; k = amac_next(k, running)) {
    struct probe *probe = &probes[k];
    const struct bucket *bucket = probe->bucket;
    for (uint32_t slot = 0; slot < bucket->count; ++slot) {
      if (bucket->tuples[slot].key == probe->key) {
        matches += 1;
        payloads += bucket->tuples[slot].payload;
      }
    }
    if (bucket->next) {
      probe->bucket = bucket->next;
      amac_prefetch(bucket->next);
    } else if (next != end) {
      *probe = begin(next++);
    } else {
      *probe = probes[--running];
    }
  }
  hj_matches += matches;
  hj_payloads += payloads;
}
