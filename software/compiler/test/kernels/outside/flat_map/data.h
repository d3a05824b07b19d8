// SPDX-License-Identifier: Apache-2.0
// A flat hash map: buckets of a tag and the number of an entry, probed one after the other; the entries, one a cache line, lie apart. Operation i looks for
// query i, of which half are there.
#pragma once
#include "mix.h"

#define MAP_ENTRIES (1ul << MAP_LOG2_ENTRIES)
#define MAP_LOG2_BUCKETS (MAP_LOG2_ENTRIES + 1)

constexpr uint64_t ABSENT = ~0ul;

struct entry {
  uint64_t key, value;
  uint64_t others[6];
};

// Tag 0: empty
struct bucket {
  uint32_t tag, entry;
};

struct flat_map {
  bucket *buckets;
  entry *entries;

  static uint32_t tag(uint64_t hash) { return (uint32_t)hash | 1; }
  static uint64_t home(uint64_t hash) { return hash >> (64 - MAP_LOG2_BUCKETS); }
  static uint64_t next(uint64_t at) { return (at + 1) & ((1ul << MAP_LOG2_BUCKETS) - 1); }

  const entry *find(uint64_t key) const {
    uint64_t hash = mix64(key);
    for (uint64_t at = home(hash);; at = next(at)) {
      const bucket &b = buckets[at];
      if (b.tag == tag(hash) && entries[b.entry].key == key)
        return &entries[b.entry];
      if (b.tag == 0)
        return nullptr;
    }
  }
};

extern flat_map map_of_keys;
extern uint64_t map_results[];

static inline uint64_t map_key(uint64_t number) { return mix64(~number); }
static inline uint64_t map_query(uint64_t operation) { return mix64(operation) >> (64 - MAP_LOG2_BUCKETS); }
