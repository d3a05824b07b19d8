// SPDX-License-Identifier: Apache-2.0
// Used by every program here: input data and a printed digest of the results.
#ifndef COMMON_H
#define COMMON_H

#include "asyncmem.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static inline uint64_t mix(uint64_t x) {
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

// FNV-1a over the bytes.
static inline void print_digest(const char *name, const void *data,
                                size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i)
    h = (h ^ p[i]) * 0x100000001b3u;
  printf("%s %08lx%08lx\n", name, (unsigned long)(h >> 32),
         (unsigned long)(h & 0xffffffffu));
}

static inline uint64_t *remote_words(size_t count) {
  uint64_t *words = (uint64_t *)remote_alloc(count * sizeof(uint64_t));
  for (size_t i = 0; i < count; ++i)
    words[i] = mix(i);
  return words;
}

#endif
