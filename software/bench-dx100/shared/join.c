// SPDX-License-Identifier: Apache-2.0
#include "join.h"
#include "asyncmem.h"
#include "bench.h"

_Static_assert(BENCH_END <= JOIN_TUPLES, "one tuple an operation");
_Static_assert(BENCH_WARMUP_OPERATIONS % JOIN_PARTITION_TUPLES == 0 && BENCH_OPERATIONS % JOIN_PARTITION_TUPLES == 0,
               "whole partitions");

struct tuple *join_input, *join_output, *join_r, *join_s, *join_sorted;
uint32_t join_histogram[JOIN_FANOUT], join_next[JOIN_FANOUT], *join_s_begin;
uint64_t join_matches;

// Tuple i of R before it is partitioned: the odd factor takes every key once.
static struct tuple input_of(uint32_t i) { return (struct tuple){i * 0x9e3779b1u % JOIN_TUPLES, i}; }

static uint32_t key_in_s(uint64_t i) { return (uint32_t)(mix64(i) >> (64 - JOIN_LOG2_TUPLES)); }

static struct tuple *allocate(void) { return remote_alloc(JOIN_TUPLES * sizeof(struct tuple)); }

static void make_pass(void) {
  join_input = allocate();
  join_output = allocate();
  for (uint32_t i = 0; i < JOIN_TUPLES; ++i) {
    join_input[i] = input_of(i);
    join_output[i] = (struct tuple){0, 0};
  }
  for (uint32_t partition = 0; partition < JOIN_FANOUT; ++partition) {
    join_next[partition] = partition * (JOIN_TUPLES / JOIN_FANOUT);
    join_histogram[partition] = 0;
  }
}

static void make_partitions(void) {
  join_r = allocate();
  join_s = allocate();
  join_sorted = allocate();
  join_s_begin = remote_alloc((JOIN_PARTITIONS + 1) * sizeof *join_s_begin);
  for (uint32_t key = 0; key < JOIN_TUPLES; ++key)
    join_r[key % JOIN_PARTITIONS * JOIN_PARTITION_TUPLES + join_place(key)] = (struct tuple){key, key};
  static uint32_t next[JOIN_PARTITIONS];
  for (uint32_t i = 0; i < JOIN_TUPLES; ++i)
    ++next[key_in_s(i) % JOIN_PARTITIONS];
  join_s_begin[0] = 0;
  for (uint32_t partition = 0; partition < JOIN_PARTITIONS; ++partition) {
    join_s_begin[partition + 1] = join_s_begin[partition] + next[partition];
    next[partition] = join_s_begin[partition];
  }
  for (uint32_t i = 0; i < JOIN_TUPLES; ++i)
    join_s[next[key_in_s(i) % JOIN_PARTITIONS]++] = (struct tuple){key_in_s(i), i};
}

void bench_init(void) {
  make_pass();
  make_partitions();
}

// Of each partition the histogram's count of tuples was moved, and together they are the slice's: by the sum of their hashes.
static bool verify_pass(uint64_t count) {
  uint64_t hash = 0, moved = 0;
  for (uint32_t i = 0; i < count; ++i)
    hash += mix64(input_of(i).key * 3ul + input_of(i).payload);
  for (uint32_t partition = 0; partition < JOIN_FANOUT; ++partition) {
    const uint32_t begin = partition * (JOIN_TUPLES / JOIN_FANOUT);
    if (join_next[partition] - begin != join_histogram[partition])
      return false;
    for (uint32_t k = begin; k < join_next[partition]; ++k, ++moved) {
      if (join_output[k].key % JOIN_FANOUT != partition)
        return false;
      hash -= mix64(join_output[k].key * 3ul + join_output[k].payload);
    }
  }
  return hash == 0 && moved == count;
}

// Every tuple of S matches once.
bool bench_verify(uint64_t count) {
  uint64_t matches = 0;
  for (uint32_t i = 0; i < JOIN_TUPLES; ++i)
    matches += key_in_s(i) % JOIN_PARTITIONS < join_partitions_before(count);
  return join_matches == matches && verify_pass(count);
}
