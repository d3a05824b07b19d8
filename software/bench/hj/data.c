// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

_Static_assert(BENCH_END <= HJ_PROBE_TUPLES, "one probe tuple an operation");
_Static_assert(sizeof(struct bucket) == 32, "two buckets a cache line");

struct relation hj_relation;
struct hashtable hj_table;
uint64_t hj_matches, hj_payloads;

static uint32_t build_payload(uint32_t key) { return 3 * key + 1; }

// Half of the probe keys are in the table, which holds 0 ... HJ_BUILD_TUPLES - 1 once each.
static uint32_t probe_key(uint64_t operation) { return (mix64(operation) >> 20) % (2 * HJ_BUILD_TUPLES); }

static void insert(struct bucket *bucket, struct bucket **unused, struct tuple tuple) {
  if (bucket->count == HJ_BUCKET_TUPLES) {
    if (bucket->next == 0 || bucket->next->count == HJ_BUCKET_TUPLES) {
      struct bucket *overflow = (*unused)++;
      overflow->count = 0;
      overflow->next = bucket->next;
      bucket->next = overflow;
    }
    bucket = bucket->next;
  }
  bucket->tuples[bucket->count++] = tuple;
}

void bench_init(void) {
  hj_table.buckets = remote_alloc(HJ_BUCKETS * sizeof(struct bucket));
  struct bucket *unused = remote_alloc(HJ_BUILD_TUPLES * sizeof(struct bucket));
  for (uint64_t i = 0; i < HJ_BUCKETS; ++i) {
    hj_table.buckets[i].count = 0;
    hj_table.buckets[i].next = 0;
  }
  for (uint32_t key = 0; key < HJ_BUILD_TUPLES; ++key)
    insert(&hj_table.buckets[hj_hash(key)], &unused, (struct tuple){key, build_payload(key)});
  hj_relation.count = HJ_PROBE_TUPLES;
  hj_relation.tuples = remote_alloc(HJ_PROBE_TUPLES * sizeof(struct tuple));
  for (uint64_t i = 0; i < HJ_PROBE_TUPLES; ++i)
    hj_relation.tuples[i] = (struct tuple){probe_key(i), i};
}

// The answer follows from the keys alone.
bool bench_verify(uint64_t count) {
  uint64_t matches = 0, payloads = 0;
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint32_t key = probe_key(i);
    if (key < HJ_BUILD_TUPLES) {
      ++matches;
      payloads += build_payload(key);
    }
  }
  return hj_matches == matches && hj_payloads == payloads;
}
