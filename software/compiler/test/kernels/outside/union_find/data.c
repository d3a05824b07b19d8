// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "../place.h"
#include "asyncmem.h"
#include "bench.h"
#include "mix.h"

uint32_t *union_parents;
struct edge *union_edges;

// Edge i belongs to group i % UNION_GROUPS and joins one more vertex to those that earlier edges of the group have joined.
static uint32_t vertex_of(uint64_t group, uint64_t member) {
  return (uint32_t)place(member * UNION_GROUPS + group, UNION_LOG2_VERTICES);
}

void bench_init(void) {
  union_parents = remote_alloc(sizeof *union_parents << UNION_LOG2_VERTICES);
  for (uint32_t vertex = 0; vertex >> UNION_LOG2_VERTICES == 0; ++vertex)
    union_parents[vertex] = vertex;
  union_edges = remote_alloc(BENCH_END * sizeof *union_edges);
  for (uint64_t i = 0; i < BENCH_END; ++i) {
    uint64_t group = i % UNION_GROUPS, joined = i / UNION_GROUPS + 1;
    union_edges[i] = (struct edge){vertex_of(group, joined), vertex_of(group, mix64(i) % joined)};
  }
}

// The members of a group that its edges have joined have one root, the smallest of them.
bool bench_verify(uint64_t count) {
  for (uint64_t group = 0; group < UNION_GROUPS; ++group) {
    uint64_t members = 1 + (count + UNION_GROUPS - 1 - group) / UNION_GROUPS;
    uint32_t least = vertex_of(group, 0);
    for (uint64_t member = 1; member < members; ++member)
      if (vertex_of(group, member) < least)
        least = vertex_of(group, member);
    for (uint64_t member = 0; member < members; ++member) {
      uint32_t vertex = vertex_of(group, member);
      while (union_parents[vertex] < vertex)
        vertex = union_parents[vertex];
      if (vertex != least || union_parents[vertex] != vertex)
        return false;
    }
    if (union_parents[vertex_of(group, members)] != vertex_of(group, members))
      return false;
  }
  return true;
}
