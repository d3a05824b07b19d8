// SPDX-License-Identifier: Apache-2.0
#include "coro.hpp"

extern "C" {
#include "bench.h"
#include "data.h"
}

static coro::Task read(uint64_t &next, uint64_t end) {
  const uint64_t *words = @NAME@_words;
  while (next < end) {
    uint64_t i = next++;
    const uint64_t *word = &words[@NAME@_index(i)];
    co_await coro::Prefetch{word};
    @NAME@_found[i] = *word;
  }
}

extern "C" void bench_run(uint64_t first, uint64_t count) { coro::interleave(first, count, read); }
