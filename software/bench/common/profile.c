// SPDX-License-Identifier: Apache-2.0
// Frame that profiles a region instead of measuring it (tools/nhg/regions.py; x86 only): the serial program, compiled with
// -fsanitize-coverage, calls the functions below for each load, store and branch target.
//   program         one call of bench_run, as when measured: far accesses, far misses of L2, branch targets, as JSON
//   program each    one call an operation: how the far accesses are distributed over the operations
#include "bench.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>

#define HOOK __attribute__((no_sanitize("coverage")))

// What NH-G's L2 (xiangshan/src/main/scala/nhg/NhgParams.scala) has beside the AMU's way, with LRU; far lines only.
enum { LineBytes = 64, Sets = 512, Ways = 7, TargetsMax = 4096 };

static bool counting;
static uint64_t accesses, misses, targets[TargetsMax];
static uint64_t cache[Sets][Ways]; // line numbers, the latest used first; 0: none

HOOK static void touch(uint64_t line) {
  uint64_t *set = cache[line % Sets], carried = line;
  for (int way = 0; way < Ways; ++way) {
    uint64_t here = set[way];
    set[way] = carried;
    if (here == line)
      return;
    carried = here;
  }
  misses += counting;
}

HOOK static void access(uint64_t address) {
  if (address < NHG_FAR_BASE || address >= NHG_FAR_BASE + NHG_FAR_SIZE)
    return;
  accesses += counting;
  touch(address / LineBytes);
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
  printf("\"accesses\": %llu, \"misses\": %llu, \"targets\": [", (unsigned long long)accesses,
         (unsigned long long)misses);
  for (int i = 1; i < TargetsMax; ++i)
    printf("%s%llu", i > 1 ? ", " : "", (unsigned long long)targets[i]);
  printf("]");
}

HOOK int main(int count, char **arguments) {
  (void)arguments;
  bench_init();
  for (uint64_t set = 0; set < Sets; ++set)
    for (int way = 0; way < Ways; ++way)
      cache[set][way] = 0;
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
