// SPDX-License-Identifier: Apache-2.0
#include "asyncmem.h"
#include "bench.h"
#include "data.h"

#if WARM_SEARCH
static void run(uint64_t first, uint64_t count) {
  const uint64_t *data = warm_data;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t o = first; o < first + count; ++o) {
    __builtin_is_remote(data);
    uint64_t key = warm_key(o) >> (24 - WARM_LOG2_WORDS), low = 0, high = WARM_WORDS;
    while (low < high) {
      uint64_t middle = (low + high) / 2;
      if (data[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    warm_found[o] = low;
  }
}
#elif WARM_PROBES
static void run(uint64_t first, uint64_t count) {
  const uint64_t *data = warm_data;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t o = first; o < first + count; ++o) {
    __builtin_is_remote(data);
    uint64_t key = warm_key(o), place = WARM_PLACE(key);
    while (data[place] != 0 && data[place] != key)
      place = (place + 1) % WARM_WORDS;
    warm_found[o] = data[place] == key;
  }
}
#elif WARM_UPDATES
static void run(uint64_t first, uint64_t count) {
  uint64_t *data = warm_data;
#pragma asyncmem num_task(BENCH_COROUTINES)
  for (uint64_t o = first; o < first + count; ++o) {
    __builtin_is_remote(data);
    data[WARM_PLACE(warm_key(o))] += o;
  }
}
#elif WARM_UNTIL
// Its end is in the data: one run for all operations.
static void run(uint64_t first, uint64_t count) {
  (void)count;
  const uint64_t *data = warm_data, *word = data + first;
  uint64_t sum = 0;
#pragma asyncmem num_task(BENCH_COROUTINES) reduction(+: sum)
  for (; *word; ++word) {
    __builtin_is_remote(data);
    sum += data[WARM_PLACE(*word)];
  }
  warm_found[0] = sum;
}
#elif WARM_LEVELS
__attribute__((noinline)) static uint32_t expand(const uint64_t *data, uint32_t *order, uint32_t *parent, uint32_t begin, uint32_t end) {
  uint32_t reached = end;
#pragma asyncmem num_task(BENCH_COROUTINES) shared_var(reached) lossy_update(parent)
  for (uint32_t o = begin; o < end; ++o) {
    __builtin_is_remote(data);
    __builtin_is_remote(order);
    __builtin_is_remote(parent);
    uint32_t vertex = order[o];
    for (uint64_t e = vertex * WARM_EDGES; e < (vertex + 1) * WARM_EDGES; ++e) {
      uint32_t neighbour = (uint32_t)data[e];
      if (parent[neighbour] == WARM_UNREACHED) {
        parent[neighbour] = vertex;
        order[reached++] = neighbour;
      }
    }
  }
  return reached;
}

// All that can be reached, one run of the loop a level.
static void run(uint64_t first, uint64_t count) {
  (void)first;
  (void)count;
  uint32_t begin = WARM_EXPANDED, end = warm_reached;
  while (begin < end) {
    uint32_t next = expand(warm_data, warm_order, warm_parent, begin, end);
    begin = end;
    end = next;
  }
  warm_reached = end;
}
#else
static void run(uint64_t first, uint64_t count) {
  const uint64_t *data = warm_data;
  uint32_t *order = warm_order, *parent = warm_parent, reached = warm_reached;
#pragma asyncmem num_task(BENCH_COROUTINES) shared_var(reached) lossy_update(parent)
  for (uint64_t o = first; o < first + count; ++o) {
    __builtin_is_remote(data);
    __builtin_is_remote(order);
    __builtin_is_remote(parent);
    uint32_t vertex = order[WARM_EXPANDED + o];
    for (uint64_t e = vertex * WARM_EDGES; e < (vertex + 1) * WARM_EDGES; ++e) {
      uint32_t neighbour = (uint32_t)data[e];
      if (parent[neighbour] == WARM_UNREACHED) {
        parent[neighbour] = vertex;
        order[reached++] = neighbour;
      }
    }
  }
  warm_reached = reached;
}
#endif

// All data into the caches.
static void warm_up(void) {
  uint64_t sum = 0;
  for (uint64_t turn = 0; turn < 2; ++turn)
    for (uint64_t w = 0; w < WARM_WORDS; ++w)
      sum += ((const volatile uint64_t *)warm_data)[w];
  for (uint64_t v = 0; v < WARM_VERTICES; ++v)
    sum += ((const volatile uint32_t *)warm_parent)[v] + ((const volatile uint32_t *)warm_order)[v];
  for (uint64_t o = 0; o < BENCH_END; ++o)
    ((volatile uint64_t *)warm_found)[o] = warm_found[o];
  __asm__ volatile("" : : "r"(sum));
}

#if WARM_AGAIN
// The loop runs in the warm-up, too, as in other benchmarks.
void bench_run(uint64_t first, uint64_t count) {
  if (first == BENCH_FIRST)
    warm_up();
  run(first, count);
}
#else
// The warm-up does not start the loop, whose first turns are what is measured: its operation is the region's first.
void bench_run(uint64_t first, uint64_t count) {
  if (first == BENCH_FIRST)
    warm_up();
  else
    run(first - BENCH_WARMUP_OPERATIONS, count + BENCH_WARMUP_OPERATIONS);
}
#endif
