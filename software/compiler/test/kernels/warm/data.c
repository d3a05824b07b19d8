// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "host.h"

uint64_t *warm_data, *warm_found;
uint32_t *warm_order, *warm_parent;
uint32_t warm_reached;

static uint64_t initial(uint64_t word) {
#if WARM_SEARCH
  return word << 40;
#elif WARM_GRAPH
  return mix64(word) % WARM_VERTICES;
#elif WARM_UPDATES
  return word;
#elif WARM_UNTIL
  return word == BENCH_END ? 0 : warm_key(word);
#else
  (void)word;
  return 0; // no key
#endif
}

#if WARM_PROBES
static void insert(uint64_t key) {
  uint64_t place = WARM_PLACE(key);
  while (warm_data[place])
    place = (place + 1) % WARM_WORDS;
  warm_data[place] = key;
}
#endif

void bench_init(void) {
  warm_data = remote_alloc(WARM_WORDS * sizeof *warm_data);
  warm_found = remote_alloc(BENCH_END * sizeof *warm_found);
  for (uint64_t w = 0; w < WARM_WORDS; ++w)
    warm_data[w] = initial(w);
  for (uint64_t o = 0; o < BENCH_END; ++o)
    warm_found[o] = UINT64_MAX;
#if WARM_PROBES // half of the words have a key of an operation
  for (uint64_t k = 0; k < WARM_WORDS / 2; ++k)
    insert(warm_key(2 * k));
#endif
  warm_order = remote_alloc(2 * WARM_VERTICES * sizeof *warm_order);
  warm_parent = remote_alloc(WARM_VERTICES * sizeof *warm_parent);
  for (uint64_t v = 0; v < WARM_VERTICES; ++v)
    warm_parent[v] = WARM_UNREACHED;
  warm_parent[0] = 0;
  warm_order[0] = 0;
  warm_reached = 1;
#if WARM_GRAPH
  for (uint64_t k = 0; k < WARM_EXPANDED; ++k) {
    for (uint64_t e = 0; e < WARM_EDGES; ++e) {
      uint64_t neighbour = warm_data[warm_order[k] * WARM_EDGES + e];
      if (warm_parent[neighbour] == WARM_UNREACHED) {
        warm_parent[neighbour] = warm_order[k];
        warm_order[warm_reached++] = (uint32_t)neighbour;
      }
    }
  }
#endif
}

#if WARM_GRAPH
// Each vertex reached, but the first, has an edge from its parent, and stands in the order, more than once if several tasks reached it at the same
// time; nobody was forgotten.
static uint64_t errors(uint64_t count) {
  uint64_t wrong = 0, reached = 0;
  for (uint64_t v = 0; v < WARM_VERTICES; ++v)
    reached += warm_parent[v] != WARM_UNREACHED;
  wrong += reached > warm_reached || warm_reached > 2 * WARM_VERTICES;
  for (uint64_t k = 1; k < warm_reached; ++k) {
    uint64_t vertex = warm_order[k], parent = warm_parent[vertex], found = 0;
    for (uint64_t e = 0; e < WARM_EDGES; ++e)
      found |= initial(parent * WARM_EDGES + e) == vertex;
    wrong += !found;
  }
  for (uint64_t k = 0; k < WARM_EXPANDED + count; ++k)
    for (uint64_t e = 0; e < WARM_EDGES; ++e)
      wrong += warm_parent[initial(warm_order[k] * WARM_EDGES + e)] == WARM_UNREACHED;
  return wrong;
}
#elif WARM_UPDATES
static uint64_t errors(uint64_t count) {
  uint64_t wrong = 0;
  for (uint64_t o = 0; o < count; ++o)
    warm_data[WARM_PLACE(warm_key(o))] -= o;
  for (uint64_t w = 0; w < WARM_WORDS; ++w)
    wrong += warm_data[w] != w;
  return wrong;
}
#elif WARM_UNTIL
static uint64_t errors(uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t o = 0; o < count; ++o)
    sum += warm_data[WARM_PLACE(warm_key(o))];
  return warm_found[0] != sum;
}
#else
static uint64_t expected(uint64_t operation) {
#if WARM_SEARCH
  return ((warm_key(operation) >> (24 - WARM_LOG2_WORDS)) + (1ul << 40) - 1) >> 40; // words are multiples of 2^40
#else
  return operation % 2 == 0 && operation / 2 < WARM_WORDS / 2;
#endif
}

static uint64_t errors(uint64_t count) {
  uint64_t wrong = 0;
  for (uint64_t o = 0; o < count; ++o)
    wrong += warm_found[o] != expected(o);
  return wrong;
}
#endif

bool bench_verify(uint64_t count) {
  uint64_t wrong = errors(count);
  host_metric(HOST_METRIC_FIRST_FREE, wrong);
  return wrong == 0;
}
