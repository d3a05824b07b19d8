// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include <string.h>

static bool equal(const struct text *one, const struct text *other) {
  return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

static const struct entry *find(const struct dict *in, const struct text *key) {
  const struct entry *at = in->table[hash_of(key) & in->mask];
  for (; at != 0; at = at->next) {
    __builtin_is_remote(at);
    const struct text *held = at->key;
#ifndef FIRST_MARKS
    __builtin_is_remote(held);
#endif
    if (equal(key, held))
      break;
  }
  return at;
}

void bench_run(uint64_t first, uint64_t count) {
  const struct dict *in = &dict;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t i = first; i < first + count; ++i) {
    __builtin_is_remote(in->table);
    const struct entry *found = find(in, &dict_queries[i]);
    dict_results[i] = found ? found->value : ABSENT;
  }
}
