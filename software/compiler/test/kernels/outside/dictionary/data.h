// SPDX-License-Identifier: Apache-2.0
// A dictionary with chains, whose keys are texts: table, entries and texts each lie for themselves, in random order. Operation i looks for query i, of which
// half are there.
#pragma once
#include "mix.h"

#define DICT_ENTRIES (1ul << DICT_LOG2_ENTRIES)
#define ABSENT (~0ul)

struct text {
  uint32_t size;
  char bytes[28];
};

struct entry {
  struct entry *next;
  const struct text *key;
  uint64_t value, padding;
};

struct dict {
  struct entry **table;
  uint64_t mask;
};

extern struct dict dict;
extern struct text dict_queries[];
extern uint64_t dict_results[];

static inline uint64_t hash_of(const struct text *text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (uint32_t k = 0; k < text->size; ++k)
    hash = (hash ^ (uint8_t)text->bytes[k]) * 0x100000001b3u;
  return hash ^ hash >> 32;
}
