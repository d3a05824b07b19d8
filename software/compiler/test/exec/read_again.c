// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// The end of a row is the begin of the next one, and an iteration reads it last where it writes to arrays of the same type: the optimizer hands it to the next
// iteration, which only the program reads again.
#include "common.h"

enum { ROWS = 200, MOST = 2000 };

static uint64_t length(uint64_t r) { return mix(r) % 4 ? mix(r) % 13 : 0; }

// Each row's elements to places of their own.
__attribute__((noinline)) static void scatter(const uint32_t *rows, const uint32_t *columns, uint32_t *out, uint64_t n) {
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < n; ++r) {
    __builtin_is_remote(columns);
    for (uint32_t e = rows[r]; e < rows[r + 1]; ++e)
      out[columns[e]] = (uint32_t)r + e;
  }
}

// With another way out of the row, and the rows from the last to the first one.
__attribute__((noinline)) static void search(const uint32_t *rows, const uint32_t *columns, uint32_t *found, uint32_t *visited, int64_t n) {
#pragma asyncmem num_task(16)
  for (int64_t r = n - 1; r >= 0; --r) {
    __builtin_is_remote(columns);
    uint32_t e = rows[r];
    for (; e < rows[r + 1]; ++e) {
      visited[e] = columns[e] % 7;
      if (visited[e] == 3)
        break;
    }
    found[r] = e;
  }
}

// Both ends of the part of a row that is left move.
__attribute__((noinline)) static uint64_t relax(const uint64_t *rows, const uint32_t *columns, uint64_t *distance, const uint64_t *base, uint64_t n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(16)
  for (uint64_t r = 0; r < n; ++r) {
    __builtin_is_remote(columns);
    __builtin_is_remote(distance);
    for (uint64_t e = rows[r]; e < rows[r + 1]; ++e) {
      uint64_t now = base[r] + columns[e] % 13, before = __atomic_load_n(&distance[columns[e]], __ATOMIC_RELAXED);
      while (now < before && !__atomic_compare_exchange_n(&distance[columns[e]], &before, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    }
    sum += base[r];
  }
  return sum;
}

struct graph {
  const uint32_t *rows, *columns;
};

// The address of the rows, too, is read last where the row ends, if it has any element.
__attribute__((noinline)) static uint64_t visit(const struct graph *g, uint32_t *parents, const uint32_t *queue, uint32_t *next, uint64_t n) {
  uint64_t tail = 0;
#pragma asyncmem num_task(16) shared_var(tail)
  for (uint64_t q = 0; q < n; ++q) {
    const uint32_t *columns = g->columns;
    __builtin_is_remote(columns);
    __builtin_is_remote(parents);
    const uint32_t vertex = queue[q];
    for (uint32_t e = g->rows[vertex]; e < g->rows[vertex + 1]; ++e) {
      uint32_t to = columns[e], none = 0;
      if (__atomic_compare_exchange_n(&parents[to], &none, 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        next[tail++] = to;
    }
  }
  return tail;
}

int main(void) {
  // Not static: then the compiler would know that they are apart.
  uint32_t *rows = remote_alloc((ROWS + 1) * 4), *out = remote_alloc(MOST * 4), *found = remote_alloc(ROWS * 4), *visited = remote_alloc(MOST * 4);
  uint64_t *long_rows = remote_alloc((ROWS + 1) * 8), *base = remote_alloc(ROWS * 8);
  uint32_t *columns = remote_alloc(MOST * sizeof *columns);
  rows[0] = 0;
  long_rows[0] = 0;
  uint64_t *distance = remote_alloc(MOST * sizeof *distance);
  for (uint64_t r = 0; r < ROWS; ++r) {
    rows[r + 1] = rows[r] + (uint32_t)length(r);
    long_rows[r + 1] = rows[r + 1];
    base[r] = mix(r + ROWS) % 900;
  }
  for (uint32_t e = 0; e < MOST; ++e) {
    columns[e] = e * 371 % MOST;
    out[e] = visited[e] = 0;
    distance[e] = 700;
  }
  scatter(rows, columns, out, ROWS);
  search(rows, columns, found, visited, ROWS);
  const uint64_t sum = relax(long_rows, columns, distance, base, ROWS);
  struct graph *graph = remote_alloc(sizeof *graph);
  *graph = (struct graph){rows, columns};
  uint32_t *parents = remote_alloc(MOST * 4), *queue = remote_alloc(ROWS * 4), *next = remote_alloc(MOST * 4);
  uint64_t listed[2] = {0};
  for (uint32_t v = 0; v < MOST; ++v)
    parents[v] = v % 3 == 0;
  for (uint32_t q = 0; q < ROWS / 2; ++q)
    queue[q] = q * 37 % ROWS;
  listed[0] = visit(graph, parents, queue, next, ROWS / 2);
  for (uint64_t i = 0; i < listed[0]; ++i)
    listed[1] += mix(next[i]);
  print_digest("listed", listed, sizeof listed);
  print_digest("parents", parents, MOST * sizeof *parents);
  print_digest("out", out, MOST * sizeof *out);
  print_digest("found", found, ROWS * sizeof *found);
  print_digest("visited", visited, MOST * sizeof *visited);
  print_digest("distance", distance, MOST * sizeof *distance);
  print_digest("sum", &sum, sizeof sum);
  return 0;
}
