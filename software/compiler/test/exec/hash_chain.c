// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// The paper's listing 1: a chain of buckets, a counted inner loop, a shared counter.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 1000 };

struct bucket {
  uint64_t count;
  uint64_t keys[3];
  struct bucket *next;
};
struct table {
  struct bucket *buckets;
  uint64_t *tuples;
};

__attribute__((noinline)) static uint64_t join(const struct table *ht) {
  uint64_t matches = 0;
#pragma asyncmem num_task(64) shared_var(matches)
  for (int i = 0; i < COUNT; i++) {
    __builtin_is_remote(ht->buckets);
    __builtin_is_remote(ht->tuples);
    uint64_t key = ht->tuples[i];
    struct bucket *b = ht->buckets + key % 64;
    while (b) {
      for (uint64_t j = 0; j < b->count; j++)
        if (key == b->keys[j])
          matches++;
      b = b->next;
    }
  }
  return matches;
}

int main(void) {
  struct bucket *buckets = remote_alloc(512 * sizeof(struct bucket));
  struct table ht = {buckets, remote_alloc(COUNT * 8)};
  for (int i = 0; i < 512; ++i) {
    buckets[i].count = mix(i) % 4;
    buckets[i].next = i + 64 < 512 && mix(i) % 5 ? &buckets[i + 64] : 0;
    for (uint64_t j = 0; j < 3; ++j)
      buckets[i].keys[j] = mix(i + j) % 100;
  }
  for (int i = 0; i < COUNT; ++i)
    ht.tuples[i] = mix(i) % 100;
  printf("matches %lu\n", (unsigned long)join(&ht));
  return 0;
}
