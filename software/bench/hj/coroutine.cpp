// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

// A bucket is half a cache line: one prefetch brings its count, its tuples and its link.
static coro::Task probe(uint64_t &next, uint64_t end) {
  const tuple *tuples = hj_relation.tuples;
  uint64_t matches = 0, payloads = 0;
  while (next < end) {
    uint64_t i = next++;
    co_await coro::Prefetch{&tuples[i]};
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
