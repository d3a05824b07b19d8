// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "host.h"

uint64_t *selftest_words;
uint64_t selftest_found[(BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS) / Kinds * 3 + 3];

enum { All = BENCH_WARMUP_OPERATIONS + BENCH_OPERATIONS };
_Static_assert(BENCH_WARMUP_OPERATIONS % Kinds == 0 && BENCH_OPERATIONS % Kinds == 0,
               "every kind has the same number of operations");

void bench_init(void) {
  selftest_words = remote_alloc(((uint64_t)1 << SELFTEST_LOG2_WORDS) * sizeof(uint64_t));
  for (unsigned kind = RandomRead; kind <= Walk; ++kind)
    for (uint64_t n = 0; n < All / Kinds; ++n) {
      const uint64_t index = selftest_index(kind, n);
      selftest_words[index] = selftest_value(index);
    }
}

bool bench_verify(uint64_t count) {
#ifdef __riscv
  // The host finds the region's latencies in the snapshot (tools/nhg/board/selftest.py).
  *(volatile uint64_t *)NHG_FAR_CONTROL_CTRL = 2;
#endif
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const unsigned kind = i % Kinds;
    const uint64_t n = i / Kinds, index = selftest_index(kind, n);
    const uint64_t seen = kind <= Walk ? selftest_found[kind * (All / Kinds) + n] : selftest_words[index];
    wrong += seen != selftest_value(index);
  }
  host_metric(HOST_METRIC_FIRST_FREE, wrong);
  return wrong == 0;
}
