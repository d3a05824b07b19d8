// SPDX-License-Identifier: Apache-2.0
// Frame that profiles a region instead of measuring it (tools/nhg/regions.py; x86 only): the serial program, compiled with
// -fsanitize-coverage, calls the functions below for each load, store and branch target.
//   program         one call of bench_run, as when measured: far accesses, far misses of L2 and of L3, branch targets, as JSON
//   program each    one call an operation: how the far accesses are distributed over the operations
#include "bench.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOOK __attribute__((no_sanitize("coverage")))

// Far lines in NH-G's L2 without the AMU's way, and in its L3 (xiangshan/src/main/scala/nhg/NhgParams.scala), both with LRU.
enum { LineBytes = 64, L2Sets = 512, L2Ways = 7, L3Sets = 4096, L3Ways = 6, TargetsMax = 4096 };

static bool counting;
static uint64_t accesses, misses, l3_misses, targets[TargetsMax];
// Line numbers, of each set the latest used first; 0: none.
static uint64_t l2[L2Sets * L2Ways], l3[L3Sets * L3Ways];

// Whether the line is in the cache; it is then.
HOOK static bool touch(uint64_t *cache, unsigned sets, unsigned ways, uint64_t line) {
  uint64_t *set = cache + line % sets * ways, carried = line;
  for (unsigned way = 0; way < ways; ++way) {
    uint64_t here = set[way];
    set[way] = carried;
    if (here == line)
      return true;
    carried = here;
  }
  return false;
}

HOOK static void access(uint64_t address) {
  if (address < NHG_FAR_BASE || address >= NHG_FAR_BASE + NHG_FAR_SIZE)
    return;
  accesses += counting;
  const uint64_t line = address / LineBytes;
  if (touch(l2, L2Sets, L2Ways, line))
    return;
  misses += counting;
  if (!touch(l3, L3Sets, L3Ways, line))
    l3_misses += counting;
}

#define ACCESS_HOOKS(bytes)                                                                                            \
  HOOK void __sanitizer_cov_load##bytes(void *address) { access((uint64_t)address); }                                  \
  HOOK void __sanitizer_cov_store##bytes(void *address) { access((uint64_t)address); }
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

HOOK void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  static uint32_t numbered;
  if (start == stop || *start)
    return;
  for (uint32_t *guard = start; guard < stop && numbered + 1 < TargetsMax; ++guard)
    *guard = ++numbered;
}

HOOK void __sanitizer_cov_trace_pc_guard(uint32_t *guard) { targets[*guard] += counting; }

HOOK static int ascending(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

// Least accesses such that the operations with at most as many make this share of all accesses.
HOOK static uint64_t by_access(const uint64_t *sorted, double share) {
  uint64_t sum = 0, i = 0;
  while (i + 1 < BENCH_OPERATIONS && (double)(sum += sorted[i]) < share * (double)accesses)
    ++i;
  return sorted[i];
}

HOOK static void run_each(void) {
  uint64_t *of = malloc(BENCH_OPERATIONS * sizeof *of);
  if (!of)
    abort();
  for (uint64_t i = 0; i < BENCH_OPERATIONS; ++i) {
    uint64_t before = accesses;
    bench_run(BENCH_WARMUP_OPERATIONS + i, 1);
    of[i] = accesses - before;
  }
  qsort(of, BENCH_OPERATIONS, sizeof *of, ascending);
  static const char *const names[] = {"p10", "p50", "p90", "p99"};
  static const double shares[] = {0.10, 0.50, 0.90, 0.99};
  for (int k = 0; k < 4; ++k)
    printf("\"%s\": %llu, ", names[k], (unsigned long long)of[(uint64_t)(shares[k] * BENCH_OPERATIONS)]);
  printf("\"max\": %llu, \"p50_by_access\": %llu", (unsigned long long)of[BENCH_OPERATIONS - 1],
         (unsigned long long)by_access(of, 0.5));
  free(of);
}

HOOK static void run_whole(void) {
  bench_run(BENCH_WARMUP_OPERATIONS, BENCH_OPERATIONS);
  printf("\"accesses\": %llu, \"misses\": %llu, \"l3_misses\": %llu, \"targets\": [", (unsigned long long)accesses,
         (unsigned long long)misses, (unsigned long long)l3_misses);
  for (int i = 1; i < TargetsMax; ++i)
    printf("%s%llu", i > 1 ? ", " : "", (unsigned long long)targets[i]);
  printf("]");
}

HOOK int main(int count, char **arguments) {
  (void)arguments;
  bench_init();
  memset(l2, 0, sizeof l2);
  memset(l3, 0, sizeof l3);
  bench_run(0, BENCH_WARMUP_OPERATIONS);
  counting = true;
  printf("{\"operations\": %llu, ", (unsigned long long)BENCH_OPERATIONS);
  if (count > 1)
    run_each();
  else
    run_whole();
  printf("}\n");
  return 0;
}
