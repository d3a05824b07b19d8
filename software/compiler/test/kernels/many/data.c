// SPDX-License-Identifier: Apache-2.0
#include "data.h"
#include "asyncmem.h"
#include "host.h"
#define TASKS(clauses)
#define REMOTE(pointer)
#include "loops.h"

uint64_t *many_words, *many_others, many_result;
uint8_t *many_text;
#if MANY_UNTIL || MANY_LISTED
uint32_t many_places[MANY_PLACES];
#endif
uint32_t *many_start, *many_edges, *many_labels, *many_parents;
double *many_ranks, *many_next_ranks;
struct node *many_nodes;
struct item **many_buckets;
struct cell *many_from, *many_to;
struct tower *many_towers;

#if MANY_BTREE
// The node's keys divide the numbers from `low` to `high`; a leaf's children are the least number of each part.
static void fill_tree(uint32_t at, uint64_t low, uint64_t high, unsigned levels, uint32_t *used) {
  struct node *n = &many_nodes[at];
  n->count = 15;
  for (unsigned k = 0; k < 16; ++k) {
    uint64_t from = low + (high - low) * k / 16, to = low + (high - low) * (k + 1) / 16;
    if (k < 15)
      n->keys[k] = (uint32_t)to;
    n->child[k] = levels ? (*used)++ : (uint32_t)from;
    if (levels)
      fill_tree(n->child[k], from, to, levels - 1, used);
  }
}
#endif

#if MANY_PAGERANK || MANY_LABELS || MANY_TRIANGLES || MANY_WALK
static void fill_graph(void) {
  uint32_t at = 0;
  many_start = remote_alloc((VERTICES + 1) * sizeof *many_start);
  many_edges = remote_alloc(2 * VERTICES * DEGREE * sizeof *many_edges);
  many_ranks = remote_alloc(VERTICES * sizeof *many_ranks);
  many_next_ranks = remote_alloc(VERTICES * sizeof *many_next_ranks);
  many_labels = remote_alloc(VERTICES * sizeof *many_labels);
  for (uint32_t v = 0; v < VERTICES; ++v) {
    many_start[v] = at;
    uint32_t to = 0;
    for (uint64_t e = mix64(v) % (2 * DEGREE - 1) + 1; e-- > 0; many_edges[at++] = to)
      to += 1 + mix64(v * 64 + e) % (VERTICES / 2 / DEGREE - 1);
    many_ranks[v] = (double)(mix64(v) % 1000);
    many_next_ranks[v] = 0;
    many_labels[v] = v;
  }
  many_start[VERTICES] = at;
}
#endif

#if MANY_SKIPS
// Each level has a quarter of the one below it.
static void fill_towers(void) {
  uint32_t before[LEVELS] = {0};
  many_towers = remote_alloc(TOWERS * sizeof *many_towers);
  many_towers[0] = (struct tower){0};
  for (uint32_t i = 1; i < TOWERS; ++i) {
    uint32_t at = i * 40503u % TOWERS;
    many_towers[at] = (struct tower){.key = i * 8};
    for (int level = 0; level < LEVELS && mix64(i) % (1u << 2 * level) == 0; ++level) {
      many_towers[before[level]].next[level] = at;
      before[level] = at;
    }
  }
}
#endif

static void fill(void) {
  many_result = 0;
#if MANY_BTREE
  uint32_t used = 1;
  many_nodes = remote_alloc(NODES * sizeof *many_nodes);
  fill_tree(0, 0, UINT64_C(1) << 31, 3, &used);
#elif MANY_CHAIN
  struct item *items = remote_alloc(ITEMS * sizeof *items);
  many_buckets = remote_alloc(BUCKETS * sizeof(struct item *));
  for (unsigned b = 0; b < BUCKETS; ++b)
    many_buckets[b] = 0;
  for (uint64_t i = 0; i < ITEMS; ++i) {
    struct item **head = &many_buckets[key_of(i) / (UINT64_MAX / BUCKETS + 1)];
    items[i] = (struct item){{key_of(i), ~key_of(i)}, i, *head};
    *head = &items[i];
  }
#elif MANY_PAGERANK || MANY_LABELS || MANY_TRIANGLES || MANY_WALK
  fill_graph();
#elif MANY_SKIPS
  fill_towers();
#elif MANY_MOVE
  many_from = remote_alloc(CELLS * sizeof *many_from);
  many_to = remote_alloc(CELLS * sizeof *many_to);
  for (uint64_t i = 0; i < CELLS; ++i) {
    many_from[i] = (struct cell){{mix64(i), i, ~i, mix64(~i)}};
    many_to[i] = (struct cell){{0}};
  }
#elif MANY_ROOTS
  many_parents = remote_alloc(WORDS * sizeof *many_parents);
  for (uint32_t i = 0; i < WORDS; ++i)
    many_parents[i] = i < 64 ? i : (uint32_t)(mix64(i) % i);
#else
  many_words = remote_alloc(WORDS * sizeof *many_words);
  many_others = remote_alloc(WORDS * sizeof *many_others);
  many_text = remote_alloc(8 * WORDS);
  for (uint64_t i = 0; i < WORDS; ++i) {
    many_words[i] = FIRST_WORD(i);
    many_others[i] = 0;
    for (unsigned k = 0; k < 8; ++k)
      many_text[8 * i + k] = (uint8_t)(mix64(i) >> 8 * k);
  }
#if MANY_UNTIL || MANY_LISTED
  for (uint32_t p = 0; p < MANY_PLACES; ++p)
    many_places[p] = 1 + (uint32_t)(mix64(p) % (MANY_UNTIL_WORDS - 1));
#endif
#if MANY_UNTIL
  for (uint32_t p = MANY_UNTIL; p < MANY_PLACES; p += MANY_UNTIL + 1)
    many_places[p] = 0;
#endif
#endif
}

#ifndef OUTCOME_OF // the result of a reduction is all
#define OUTCOME_OF(i) 0
#endif

// Of what the operations touch; the same in any order of them.
static uint64_t outcome(void) {
  uint64_t sum = many_result;
  for (uint64_t i = 0; i < BENCH_END; ++i)
    sum += OUTCOME_OF(i);
  return sum;
}

static uint64_t wanted;

// Runs the loop before, as main.c does, and starts anew.
void bench_init(void) {
  fill();
  run_loop(BENCH_FIRST, BENCH_WARMUP_OPERATIONS);
  run_loop(BENCH_FIRST + BENCH_WARMUP_OPERATIONS, BENCH_OPERATIONS);
  wanted = outcome();
  fill();
}

bool bench_verify(uint64_t count) {
  (void)count;
  bool right = outcome() == wanted;
  host_metric(HOST_METRIC_FIRST_FREE, !right);
  return right;
}
