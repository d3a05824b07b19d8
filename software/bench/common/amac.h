// SPDX-License-Identifier: Apache-2.0
// Hand-written asynchronous memory access chaining (AMAC): a loop over BENCH_COROUTINES small state records, each at some
// stage of one operation. A visit of a record does one stage and prefetches what the next one reads (paper, section II-A).
#pragma once
#include "amac_scheduler.h"
#include "asyncmem.h"

// Of the array of records: cycles spent on accesses to it count as context (tools/nhg/parts.py).
#define AMAC_RECORDS __attribute__((annotate("coroamu.context")))

#ifdef BENCH_COUNT
// The compiler's counter of task switches, kept by hand here.
uint64_t __asyncmem_switches = 0;
#endif

// Ends a stage: the record's next visit reads `address`.
static inline void amac_prefetch(const void *address) {
  __builtin_prefetch(address);
#ifdef BENCH_COUNT
  ++__asyncmem_switches;
#endif
}
