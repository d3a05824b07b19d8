// SPDX-License-Identifier: Apache-2.0
#include "amac.h"
#include "bench.h"
#include "data.h"

// One probe in flight: its tuple, then the buckets of its chain.
struct probe {
  const struct tuple *tuple; // not read yet; null behind that
  const struct bucket *bucket;
  uint32_t key;
};

void bench_run(uint64_t first, uint64_t count) {
  static struct probe probes[BENCH_COROUTINES];
  const struct tuple *tuples = hj_relation.tuples, *next = tuples + first, *end = next + count;
  uint64_t running = 0, matches = 0, payloads = 0;
  for (; running < BENCH_COROUTINES && next != end; ++running, ++next) {
    probes[running].tuple = next;
    amac_prefetch(next);
  }
  for (uint64_t k = 0; running > 0; k = k + 1 < running ? k + 1 : 0) {
    struct probe *probe = &probes[k];
    if (probe->tuple) {
      probe->key = probe->tuple->key;
      probe->bucket = &hj_table.buckets[hj_hash(probe->key)];
      probe->tuple = 0;
      amac_prefetch(probe->bucket);
      continue;
    }
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
      probe->tuple = next;
      amac_prefetch(next++);
    } else {
      *probe = probes[--running];
    }
  }
  hj_matches += matches;
  hj_payloads += payloads;
}
