// SPDX-License-Identifier: Apache-2.0
#include "amac.h"
#include "bench.h"
#include "data.h"

// One update in flight.
struct update {
  uint64_t *word;
  uint64_t random;
};

static struct update begin(uint64_t operation) {
  uint64_t random = mix64(operation);
  struct update update = {&gups_table[gups_index(random)], random};
  amac_prefetch(update.word);
  return update;
}

void bench_run(uint64_t first, uint64_t count) {
  AMAC_RECORDS static struct update updates[BENCH_COROUTINES];
  const uint64_t end = first + count;
  uint64_t next = first, slot = 0;
  for (; slot < BENCH_COROUTINES && next < end; ++slot)
    updates[slot] = begin(next++);
  const uint64_t running = slot;
  for (slot = 0; next < end; slot = amac_next(slot, running)) {
    *updates[slot].word ^= updates[slot].random;
    updates[slot] = begin(next++);
  }
  for (slot = 0; slot < running; ++slot)
    *updates[slot].word ^= updates[slot].random;
}
