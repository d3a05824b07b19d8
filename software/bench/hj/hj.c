// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

void bench_run(uint64_t first, uint64_t count) {
  const struct relation *relation = &hj_relation;
  const struct hashtable *ht = &hj_table;
  uint64_t matches = 0, payloads = 0;
#pragma asyncmem num_task(BENCH_COROUTINES) reduction(+ : matches, payloads)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(relation->tuples);
    __builtin_is_remote(ht->buckets);
    uint32_t key = relation->tuples[i].key;
    for (const struct bucket *bucket = &ht->buckets[hj_hash(key)]; bucket != 0; bucket = bucket->next) {
      __builtin_is_remote(bucket);
      for (uint32_t k = 0; k < bucket->count; ++k) {
        if (bucket->tuples[k].key == key) {
          matches += 1;
          payloads += bucket->tuples[k].payload;
        }
      }
    }
  }
  hj_matches += matches;
  hj_payloads += payloads;
}
