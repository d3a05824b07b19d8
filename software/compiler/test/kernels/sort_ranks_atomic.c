// SPDX-License-Identifier: Apache-2.0
// The integer sort's counters as threads need them.
// RUN: %same_results %s %t
#define COUNT(counter) __atomic_fetch_add(&(counter), 1, __ATOMIC_RELAXED)
#include "sort_ranks.c"
