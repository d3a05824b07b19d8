// SPDX-License-Identifier: Apache-2.0
//
// The data of the key-value server: a table in far memory whose buckets are one line, few of them, so that clients meet.
#pragma once
#include "check.h"
#include "remote.h"

enum {
  Clients = 8 * SCALE,
  RequestsOfClient = 6,
  Workers = 8,
  Buckets = 4,
  KeysOfBucket = 7,
  Keys = Buckets * KeysOfBucket
};

typedef struct {
  uint64_t used;
  struct {
    uint32_t key, value;
  } entries[KeysOfBucket];
} bucket;

static bucket *table;

static inline uint32_t key_of(uint64_t client, uint64_t request) {
  return (uint32_t)(scattered(client * RequestsOfClient + request) % Keys);
}
static inline uint32_t amount_of(uint64_t client, uint64_t request) { return (uint32_t)(1 + (client ^ request) % 5); }

// Adds to the key's value, from 0; returns the sum.
static inline uint32_t add_to(bucket *of, uint32_t key, uint32_t amount) {
  uint64_t k = 0;
  while (k < of->used && of->entries[k].key != key)
    ++k;
  if (k == of->used) {
    of->entries[of->used++].key = key;
    of->entries[k].value = 0;
  }
  return of->entries[k].value += amount;
}

static inline void make_table(void) {
  table = (bucket *)remote_alloc(Buckets * sizeof(bucket));
  for (unsigned b = 0; b < Buckets; ++b)
    table[b].used = 0;
}

// Every amount is in the table once.
static inline void check_table(void) {
  uint32_t sums[Keys] = {0}, total = 0, expected = 0;
  for (uint64_t client = 0; client < Clients; ++client)
    for (uint64_t request = 0; request < RequestsOfClient; ++request) {
      sums[key_of(client, request)] += amount_of(client, request);
      expected += amount_of(client, request);
    }
  for (unsigned b = 0; b < Buckets; ++b)
    for (unsigned k = 0; k < table[b].used; ++k) {
      const uint32_t key = table[b].entries[k].key;
      CHECK(key % Buckets == b && table[b].entries[k].value == sums[key]);
      total += table[b].entries[k].value;
    }
  CHECK(total == expected);
}
