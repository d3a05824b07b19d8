// SPDX-License-Identifier: Apache-2.0
// Hash join without partitioning, probe phase: each tuple of the probe relation looks for its key in a chained hash table
// with two tuples a bucket. Both lie in far memory. Operation i probes with tuple i.
#pragma once
#include "mix.h"

#define HJ_BUCKETS (1ul << HJ_LOG2_BUCKETS)
#define HJ_BUILD_TUPLES (2 * HJ_BUCKETS)
#define HJ_PROBE_TUPLES (1ul << HJ_LOG2_PROBE_TUPLES)
#define HJ_BUCKET_TUPLES 2

struct tuple {
  uint32_t key;
  uint32_t payload;
};

struct relation {
  struct tuple *tuples;
  uint64_t count;
};

struct bucket {
  uint32_t count;
  struct tuple tuples[HJ_BUCKET_TUPLES];
  struct bucket *next; // overflow, or null
};

struct hashtable {
  struct bucket *buckets;
};

extern struct relation hj_relation;
extern struct hashtable hj_table;
// Answer: tuples that found their key, and the sum of what they found.
extern uint64_t hj_matches, hj_payloads;

static inline uint32_t hj_hash(uint32_t key) { return key * 0x9e3779b1u >> (32 - HJ_LOG2_BUCKETS); }
