// SPDX-License-Identifier: Apache-2.0
// The hash join with eight tuples a bucket: a vector of them is compared at once.
// RUN: %same_results %s %t
#define BUCKET_TUPLES 8
#include "hash_join.c"
