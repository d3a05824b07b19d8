// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// Tuples are read in order: prefetched some lines ahead, nobody waits for them. A bucket is half a cache line: one prefetch
// brings its count, its tuples and its link.
constexpr uint64_t TUPLES_AHEAD = 64;

static coro::Task probe(uint64_t &next, uint64_t end) {
  const tuple *tuples = hj_relation.tuples;
  uint64_t matches = 0, payloads = 0;
  while (next < end) {
    uint64_t i = next++;
    __builtin_prefetch(&tuples[i + TUPLES_AHEAD]);
    uint32_t key = tuples[i].key;
    for (const bucket *b = &hj_table.buckets[hj_hash(key)]; b != nullptr; b = b->next) {
      co_await coro::Prefetch{b};
      for (uint32_t k = 0; k < b->count; ++k) {
        if (b->tuples[k].key == key) {
          matches += 1;
          payloads += b->tuples[k].payload;
        }
      }
    }
  }
  hj_matches += matches;
  hj_payloads += payloads;
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, probe); }
