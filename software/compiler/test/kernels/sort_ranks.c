// SPDX-License-Identifier: Apache-2.0
// Integer sort: how often each key comes.
// RUN: %same_results %s %t
#include "kernel.h"

#ifndef COUNT
#define COUNT(counter) (counter)++
#endif

struct keys {
  uint64_t keys;
  uint32_t *key;
  uint32_t *count;
  uint64_t most;
};

static void count_keys(const struct keys *k) {
  const uint32_t *key = k->key;
  uint32_t *count = k->count;
  const uint64_t keys = k->keys;
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < keys; i++) {
    __builtin_is_remote(key);
    __builtin_is_remote(count);
    COUNT(count[key[i]]);
  }
}

void *kernel_make(size_t bytes) {
  struct keys *k = malloc(sizeof *k);
  k->most = bytes / sizeof(uint32_t);
  k->keys = k->most < 1 << 20 ? 4 * k->most : 1 << 22;
  k->key = remote_alloc(k->keys * sizeof(uint32_t));
  for (uint64_t i = 0; i < k->keys; ++i)
    k->key[i] = (mix(4 * i) % k->most + mix(4 * i + 1) % k->most + mix(4 * i + 2) % k->most + mix(4 * i + 3) % k->most) / 4;
  k->count = remote_alloc(bytes);
  memset(k->count, 0, bytes);
  return k;
}

void kernel_reset(void *data) { (void)data; }

uint64_t kernel_run(void *data) {
  struct keys *k = data;
  const uint32_t probe = k->key[k->keys / 2], before = k->count[probe];
  count_keys(k);
  return k->count[probe] - before;
}
