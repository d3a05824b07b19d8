// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "bench.h"
#include "host.h"

uint64_t *gups_table;

void bench_init(void) {
  gups_table = remote_alloc(GUPS_WORDS * sizeof(uint64_t));
  for (uint64_t i = 0; i < GUPS_WORDS; ++i)
    gups_table[i] = i;
}

// Every update is its own inverse: applied again serially they restore the table. Interleaved updates of one word may
// get lost; HPCC's rule allows that for 1 % of the updates.
bool bench_verify(uint64_t count) {
  uint64_t *table = gups_table;
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t random = mix64(i);
    table[gups_index(random)] ^= random;
  }
  uint64_t errors = 0;
  for (uint64_t i = BENCH_FIRST; i < BENCH_FIRST + count; ++i) {
    uint64_t index = gups_index(mix64(i));
    errors += table[index] != index;
  }
  host_metric(HOST_METRIC_FIRST_FREE, errors);
  return errors * 100 <= count;
}
