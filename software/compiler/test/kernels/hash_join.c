// SPDX-License-Identifier: Apache-2.0
// Probe phase of a hash join without partitioning: buckets hold BUCKET_TUPLES tuples inline, an overflow bucket is behind a pointer.
// RUN: %same_results %s %t
#include "kernel.h"

#ifndef BUCKET_TUPLES
#define BUCKET_TUPLES 2
#endif
#define HASH(key, mask) ((key) & (mask))

typedef struct {
  int32_t key, payload;
} tuple_t;

typedef struct bucket {
  char latch;
  uint32_t count;
  tuple_t tuples[BUCKET_TUPLES];
  struct bucket *next;
} bucket_t;

typedef struct {
  bucket_t *buckets;
  uint32_t hash_mask;
} hashtable_t;

typedef struct {
  tuple_t *tuples;
  uint64_t num_tuples;
} relation_t;

struct join {
  hashtable_t table;
  relation_t probe;
};

static uint64_t probe_hashtable(const hashtable_t *ht, const relation_t *rel) {
  uint64_t matches = 0;
  const uint32_t hash_mask = ht->hash_mask;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < rel->num_tuples; i++) {
    __builtin_is_remote(ht->buckets);
    uint32_t idx = HASH(rel->tuples[i].key, hash_mask);
    bucket_t *b = ht->buckets + idx;
    do {
      __builtin_is_remote(b);
      for (uint32_t j = 0; j < b->count; j++)
        if (rel->tuples[i].key == b->tuples[j].key)
          matches++;
      b = b->next;
    } while (b);
  }
  return matches;
}

void *kernel_make(size_t bytes) {
  struct join *join = malloc(sizeof *join);
  uint32_t buckets = 1;
  while (2 * buckets * sizeof(bucket_t) <= bytes)
    buckets *= 2;
  join->table.hash_mask = buckets - 1;
  join->table.buckets = remote_alloc(2 * buckets * sizeof(bucket_t));
  memset(join->table.buckets, 0, 2 * buckets * sizeof(bucket_t));
  bucket_t *overflow = join->table.buckets + buckets, *last = overflow + buckets;
  for (uint64_t n = 0; n < (uint64_t)buckets * BUCKET_TUPLES * 3 / 4; ++n) {
    tuple_t tuple = {mix(n), n};
    bucket_t *b = join->table.buckets + HASH(tuple.key, join->table.hash_mask);
    while (b->count == BUCKET_TUPLES && b->next)
      b = b->next;
    if (b->count == BUCKET_TUPLES && overflow < last)
      b = b->next = overflow++;
    if (b->count < BUCKET_TUPLES)
      b->tuples[b->count++] = tuple;
  }
  join->probe.num_tuples = buckets < 1 << 20 ? 4 * buckets : 1 << 22;
  join->probe.tuples = malloc(join->probe.num_tuples * sizeof(tuple_t));
  for (uint64_t i = 0; i < join->probe.num_tuples; ++i)
    join->probe.tuples[i] = (tuple_t){mix(mix(i + 1) % ((uint64_t)buckets * BUCKET_TUPLES)), i};
  return join;
}

void kernel_reset(void *data) { (void)data; }

uint64_t kernel_run(void *data) {
  struct join *join = data;
  return probe_hashtable(&join->table, &join->probe);
}
