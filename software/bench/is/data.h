// SPDX-License-Identifier: Apache-2.0
// Integer sort after NPB IS: ranking of keys by counting, through buckets. The measured region is a slice of one ranking: it
// counts the keys of a slice of key_array by bucket, moves them to their buckets in bucketed, and counts, bucket by bucket,
// the keys of as many buckets, spread over all of them, as the slice is part of the whole. Like NPB's later iterations it starts from the previous
// iteration's buckets, so every bucket is full at all times. All arrays lie in far memory. Operation i is key i.
#pragma once
#include "mix.h"

#define IS_KEYS (1ul << IS_LOG2_KEYS)
#define IS_BUCKETS (1ul << IS_LOG2_BUCKETS)
#define IS_MAX_KEY (1ul << IS_LOG2_MAX_KEY)
#define IS_BUCKET_SHIFT (IS_LOG2_MAX_KEY - IS_LOG2_BUCKETS)

extern uint32_t *is_key_array;
extern uint32_t *is_bucketed;
extern uint32_t *is_bucket_start; // of each bucket in is_bucketed; IS_BUCKETS + 1 entries
extern uint32_t *is_bucket_next;  // where the bucket's next key goes
extern uint32_t *is_bucket_size;  // keys of the slices so far
extern uint32_t *is_key_count;    // for each key value

// Buckets counted by operations [0, operation). Keys are bell-shaped: buckets in the middle have 2.7 times as many as the mean
// one. An odd IS_BUCKET_STRIDE near 0.618 IS_BUCKETS spreads any number of buckets evenly over all; 1 takes them from the middle.
static inline uint64_t is_buckets_before(uint64_t operation) { return operation * IS_BUCKETS / IS_KEYS; }
static inline uint64_t is_bucket(uint64_t number) { return (number * IS_BUCKET_STRIDE + IS_BUCKETS / 2) % IS_BUCKETS; }
