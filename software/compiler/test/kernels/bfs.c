// SPDX-License-Identifier: Apache-2.0
// Breadth-first search, top down: a frontier of vertices, a graph in compressed sparse rows, parents of the vertices that were reached.
// RUN: %same_results %s %t
#include "kernel.h"

// Of a vertex; from half of it to one and a half.
#ifndef DEGREE
#define DEGREE 16
#endif
enum { UNREACHED = -1, MOST_VERTICES = 1 << 19 };

struct graph {
  int32_t vertices;
  int64_t *row;
  int32_t *column;
};

struct search {
  struct graph graph;
  int32_t *parent, *queue;
};

// \returns the end of the queue, after the neighbours of what lies from `head` to `tail` in it.
static int64_t top_down_step(const struct graph *g, int32_t *parent, int32_t *queue, int64_t head, int64_t tail) {
  const int64_t *row = g->row;
  const int32_t *column = g->column;
  int64_t next = tail;
#pragma asyncmem num_task(16) shared_var(next)
  for (int64_t q = head; q < tail; q++) {
    __builtin_is_remote(row);
    __builtin_is_remote(column);
    __builtin_is_remote(parent);
    int32_t u = queue[q];
    for (int64_t e = row[u]; e < row[u + 1]; e++) {
      int32_t v = column[e];
      int32_t expected = UNREACHED;
      if (parent[v] == UNREACHED && __atomic_compare_exchange_n(&parent[v], &expected, u, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        queue[next++] = v;
    }
  }
  return next;
}

void *kernel_make(size_t bytes) {
  struct search *s = malloc(sizeof *s);
  struct graph *g = &s->graph;
  g->vertices = bytes / (sizeof(int32_t) * (DEGREE + 2) + sizeof(int64_t));
  g->row = remote_alloc((g->vertices + 1) * sizeof(int64_t));
  g->row[0] = 0;
  for (int32_t v = 0; v < g->vertices; ++v)
    g->row[v + 1] = g->row[v] + DEGREE / 2 + mix(v) % (DEGREE + 1);
  g->column = remote_alloc(g->row[g->vertices] * sizeof(int32_t));
  for (int64_t e = 0; e < g->row[g->vertices]; ++e)
    g->column[e] = mix(e) % g->vertices;
  s->parent = remote_alloc(g->vertices * sizeof(int32_t));
  s->queue = malloc(g->vertices * sizeof(int32_t));
  return s;
}

void kernel_reset(void *data) {
  struct search *s = data;
  memset(s->parent, UNREACHED, s->graph.vertices * sizeof(int32_t));
}

// The order in a level is free, but which vertices are in it is not.
uint64_t kernel_run(void *data) {
  struct search *s = data;
  uint64_t levels = 0;
  int64_t head = 0, tail = 1;
  s->queue[0] = 0;
  s->parent[0] = 0;
  while (head < tail && head < MOST_VERTICES) {
    int64_t next = top_down_step(&s->graph, s->parent, s->queue, head, tail);
    head = tail;
    tail = next;
    levels = levels * 3 + tail;
  }
  return levels;
}
