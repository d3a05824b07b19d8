// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"

flat_map map_of_keys;
uint64_t map_results[BENCH_END];

static uint64_t value_of(uint64_t number) { return 3 * number + 1; }

void bench_init() {
  flat_map &map = map_of_keys;
  map.buckets = (bucket *)remote_alloc(sizeof(bucket) << MAP_LOG2_BUCKETS);
  map.entries = (entry *)remote_alloc(MAP_ENTRIES * sizeof(entry));
  for (uint64_t at = 0; at >> MAP_LOG2_BUCKETS == 0; ++at)
    map.buckets[at] = {0, 0};
  for (uint64_t number = 0; number < MAP_ENTRIES; ++number) {
    map.entries[number].key = map_key(number);
    map.entries[number].value = value_of(number);
    uint64_t hash = mix64(map_key(number)), at = map.home(hash);
    while (map.buckets[at].tag != 0)
      at = map.next(at);
    map.buckets[at] = {map.tag(hash), (uint32_t)number};
  }
}

// The results follow from the numbers of the queries, without the map.
bool bench_verify(uint64_t count) {
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t number = map_query(i);
    if (map_results[i] != (number < MAP_ENTRIES ? value_of(number) : ABSENT))
      return false;
  }
  return true;
}
