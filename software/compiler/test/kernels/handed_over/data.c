// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "host.h"

const uint64_t *words;
uint32_t places[BENCH_END];
uint64_t sums[LOOPS];
uint64_t list[BENCH_END], listed_words;

static uint64_t value(uint64_t place) { return mix64(~place) | 1; }

void bench_init(void) {
  uint64_t *filled = remote_alloc(WORDS * sizeof *filled);
  for (uint64_t w = 0; w < WORDS; ++w)
    filled[w] = value(w);
  words = filled;
  for (uint64_t n = 0; n < BENCH_END; ++n)
    places[n] = (uint32_t)place_of(n);
}

// What the loops have read, run by run, from what the words were made of.
static void expect(uint64_t first, uint64_t count, uint64_t expected[LOOPS]) {
  uint64_t powers = 1;
  for (uint64_t n = first; n < first + count; ++n) {
    expected[0] += value(place_of(3 * n)) ^ (3 * n);
    expected[1] += value(place_of(n));
    expected[2] += value(place_of(first + count - n)) * powers;
    powers *= 3;
    expected[3] += value(place_of(n - first - count)) * (n - first - count);
    expected[4] += value(place_of(n)) * ((uint16_t)(7 * (n - first)) + 1ul);
    expected[5] += value(place_of(n)) + (n - first) * first;
    expected[6] += value(place_of(n)) * (n - 2 * first);
    if (value(place_of(n)) & 2)
      expected[7] += mix64(value(place_of(n)));
  }
  expected[4] += (uint16_t)(7 * count);
}

bool bench_verify(uint64_t count) {
  uint64_t expected[LOOPS] = {0}, errors = 0;
  expect(BENCH_FIRST, BENCH_WARMUP_OPERATIONS, expected);
  expect(BENCH_FIRST + BENCH_WARMUP_OPERATIONS, count - BENCH_WARMUP_OPERATIONS, expected);
  for (uint64_t n = 0; n < listed_words; ++n)
    sums[7] += mix64(list[n]);
  for (int loop = 0; loop < LOOPS; ++loop)
    errors += sums[loop] != expected[loop];
  host_metric(HOST_METRIC_FIRST_FREE, errors);
  return errors == 0;
}
