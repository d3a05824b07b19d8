// SPDX-License-Identifier: Apache-2.0
// One of the loops, by scale: marked, or as it would be without a pragma, with which results are compared.
#pragma once
#include "bench.h"
#include "data.h"
#include <string.h>

// What words are at first, and what an operation leaves in memory.
#if MANY_BLOOM
#define FIRST_WORD(i) (mix64(i) | mix64(~(i)))
#elif MANY_PAGERANK
#define OUTCOME_OF(i) (uint64_t)(many_next_ranks[i] * 1024) * ((i) + 1)
#elif MANY_LABELS
static inline uint64_t labels_behind(uint64_t v) {
  uint64_t sum = 0;
  for (uint32_t e = many_start[v]; e < many_start[v + 1]; ++e)
    sum += many_labels[many_edges[e]] * (uint64_t)(e + 1);
  return sum;
}
#define OUTCOME_OF(i) labels_behind(i)
#elif MANY_KMERS
#define KMER(i) (mix64((i) % 700) | 1)
#define FIRST_WORD(i) 0
static inline uint64_t counted(uint64_t i) {
  uint64_t kmer = KMER(i), at = kmer / (UINT64_MAX / WORDS + 1);
  while (many_words[at] && many_words[at] != kmer)
    at = (at + 1) % WORDS;
  return many_others[at] * kmer;
}
#define OUTCOME_OF(i) counted(i)
#elif MANY_MOVE
#define MOVED(i) ((i) * 2654435761u % CELLS)
static inline uint64_t sum_of_cell(uint64_t i) {
  const uint64_t *w = many_to[MOVED(i)].words;
  return (w[0] * 3 + w[1] * 5 + w[2] * 7 + w[3]) * (i + 1);
}
#define OUTCOME_OF(i) sum_of_cell(i)
#elif MANY_SUFFIX
#define FIRST_WORD(i) (mix64(i) % (8 * WORDS - 64))
#elif MANY_PARTITION
#define FIRST_WORD(i) mix64(i)
static inline uint64_t in_parts(uint64_t i) {
  uint64_t sum = 0;
  for (uint64_t part = 0; part < 16; ++part)
    sum += many_others[(part << 16) + i] * (part + 1);
  return sum;
}
#define OUTCOME_OF(i) in_parts(i)
#elif MANY_HISTOGRAM
#define FIRST_WORD(i) 0
#define OUTCOME_OF(i) many_words[mix64(i) >> 44] * ((i) + 1) + many_words[(mix64(i) >> 20 & 63) * 1024] * ((i) + 3)
#elif MANY_DECODE
#define FIRST_WORD(i) (mix64(i) % (8 * WORDS - 64))
#define OUTCOME_OF(i) (many_others[4 * (i)] * 3 + many_others[4 * (i) + 1] * 5 + many_others[4 * (i) + 2] * 7 + many_others[4 * (i) + 3]) * ((i) + 1)
#elif MANY_STENCIL
#define FIRST_WORD(i) mix64(i)
#define OUTCOME_OF(i) many_others[(((i) * 37 & 1021) + 1) * 1024 + ((i) * 521 & 1022) + 1] * ((i) + 1)
#elif MANY_COLUMNS
#define FIRST_WORD(i) mix64(i)
#define OUTCOME_OF(i) many_others[i] * ((i) + 1)
#elif MANY_COUNTERS || MANY_FEW
#if MANY_FEW
#define COUNTER(hash) ((hash) % 64 * 512)
#else
#define COUNTER(hash) ((hash) % 4096)
#endif
#define FIRST_WORD(i) 0
#define OUTCOME_OF(i) many_words[COUNTER(i)] * ((i) + 1)
#elif MANY_SUMS || MANY_UNTIL || MANY_LISTED || MANY_PARTLY
#define FIRST_WORD(i) mix64(i)
#elif MANY_FRESH
#define FIRST_WORD(i) (i)
#endif

#if MANY_SUMS
static __attribute__((noinline)) uint64_t sum_of(uint64_t i) {
  const uint64_t *words = many_words;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t k = 0; k < MANY_SUMS; ++k) {
    REMOTE(words);
    sum += words[mix64(i * MANY_SUMS + k) % 512];
  }
  return sum;
}
#elif MANY_UNTIL
// Up to the next place with 0.
static __attribute__((noinline)) uint64_t sum_of(uint64_t i) {
  const uint64_t *words = many_words;
  const uint32_t *place = &many_places[i % (MANY_PLACES / (MANY_UNTIL + 1)) * (MANY_UNTIL + 1)];
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (; *place; ++place) {
    REMOTE(words);
    sum += words[*place];
  }
  return sum;
}
#elif MANY_LISTED
// Of words whose places stand in a list.
static __attribute__((noinline)) uint64_t sum_of(uint64_t i) {
  const uint64_t *words = many_words;
  const uint32_t *place = &many_places[i % (MANY_PLACES / MANY_LISTED) * MANY_LISTED];
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t k = 0; k < MANY_LISTED; ++k) {
    REMOTE(words);
    sum += words[place[k]];
  }
  return sum;
}
#endif

static inline void run_loop(uint64_t first, uint64_t count) {
  const uint64_t last = first + count;
#if MANY_BLOOM
  // A Bloom filter of six bits a key.
  const uint64_t *filter = many_words;
  uint64_t hits = 0;
  TASKS(reduction(+: hits))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(filter);
    uint64_t h = mix64(i + 9), g = mix64(h);
    int in = 1;
    for (int k = 0; k < 6 && in; ++k, h += g)
      in = filter[(h >> 6) & (WORDS - 1)] >> (h & 63) & 1;
    hits += in;
  }
  many_result += hits;
#elif MANY_BTREE
  // A B+-tree of four levels.
  const struct node *nodes = many_nodes;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(nodes);
    uint32_t key = (uint32_t)(mix64(i) & 0x7fffffff), at = 0;
    for (int level = 0; level < 4; ++level) {
      const struct node *n = &nodes[at];
      unsigned k = 0;
      while (k < n->count && key >= n->keys[k])
        ++k;
      at = n->child[k];
    }
    sum += at;
  }
  many_result += sum;
#elif MANY_CHAIN
  // A hash table with chains, whose keys memcmp compares.
  struct item *const *heads = many_buckets;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(heads);
    uint64_t k = key_of(mix64(i) & ((1u << 18) - 1)), key[2] = {k, ~k};
    for (const struct item *it = heads[k / (UINT64_MAX / BUCKETS + 1)]; it; it = it->next) {
      REMOTE(it);
      if (!memcmp(it->key, key, 16)) {
        sum += it->value;
        break;
      }
    }
  }
  many_result += sum;
#elif MANY_PAGERANK
  // Ranks of the vertices before each one.
  const uint32_t *row = many_start, *column = many_edges;
  const double *old = many_ranks;
  double *new = many_next_ranks;
  TASKS()
  for (uint64_t v = first; v < last; ++v) {
    REMOTE(row);
    REMOTE(column);
    REMOTE(old);
    REMOTE(new);
    double sum = 0;
    for (uint32_t e = row[v]; e < row[v + 1]; ++e)
      sum += old[column[e]];
    new[v] = 0.15 + 0.85 * sum;
  }
#elif MANY_LABELS
  // The least label reaches the vertices behind each one, by compare-and-swap.
  const uint32_t *row = many_start, *column = many_edges;
  uint32_t *label = many_labels;
  TASKS()
  for (uint64_t v = first; v < last; ++v) {
    REMOTE(row);
    REMOTE(column);
    REMOTE(label);
    uint32_t end = row[v + 1];
    for (uint32_t e = row[v]; e < end; ++e) {
      uint32_t seen = __atomic_load_n(&label[column[e]], __ATOMIC_RELAXED);
      while (seen > (uint32_t)(v & 15) &&
             !__atomic_compare_exchange_n(&label[column[e]], &seen, (uint32_t)(v & 15), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    }
  }
#elif MANY_KMERS
  // Numbers are counted in a hash table that fills, by compare-and-swap.
  uint64_t *table = many_words, *counts = many_others;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(table);
    REMOTE(counts);
    uint64_t kmer = KMER(i), at = kmer / (UINT64_MAX / WORDS + 1);
    for (;;) {
      uint64_t found = __atomic_load_n(&table[at], __ATOMIC_RELAXED);
      if (found == 0 && !__atomic_compare_exchange_n(&table[at], &found, kmer, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) && found != kmer) {
        at = (at + 1) & (WORDS - 1);
        continue;
      }
      if (found == 0 || found == kmer)
        break;
      at = (at + 1) & (WORDS - 1);
    }
    __atomic_fetch_add(&counts[at], 1, __ATOMIC_RELAXED);
  }
#elif MANY_MOVE
  // Structures are moved, and one word of each changed.
  const struct cell *src = many_from;
  struct cell *dst = many_to;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(src);
    REMOTE(dst);
    struct cell x = src[mix64(i) % CELLS];
    x.words[0] += x.words[3];
    dst[MOVED(i)] = x;
  }
#elif MANY_SUFFIX
  // A binary search of eight bytes at any address.
  const uint64_t *places = many_words;
  const uint8_t *bytes = many_text;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(places);
    REMOTE(bytes);
    uint64_t low = 0, high = WORDS;
    uint64_t wanted = mix64(i * 3);
    while (low + 1 < high) {
      uint64_t middle = (low + high) / 2, found;
      memcpy(&found, bytes + places[middle], 8);
      if (found <= wanted) low = middle; else high = middle;
    }
    sum += low;
  }
  many_result += sum;
#elif MANY_TRIANGLES
  // Pairs of neighbours that are adjacent, by two sorted rows.
  const uint32_t *row = many_start, *column = many_edges;
  uint64_t found = 0;
  TASKS(reduction(+: found))
  for (uint64_t v = first; v < last; ++v) {
    REMOTE(row);
    REMOTE(column);
    for (uint32_t e = row[v]; e < row[v + 1]; ++e) {
      uint32_t u = column[e], x = row[v], y = row[u], ends = row[v + 1], endy = row[u + 1];
      while (x < ends && y < endy) {
        uint32_t p = column[x], q = column[y];
        found += p == q;
        x += p <= q;
        y += q <= p;
      }
    }
  }
  many_result += found;
#elif MANY_ROOTS
  // From nodes of trees to their roots.
  const uint32_t *up = many_parents;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(up);
    uint32_t x = mix64(i) >> 44;
    while (up[x] != x)
      x = up[x];
    sum += x;
  }
  many_result += sum;
#elif MANY_PARTITION
  // Keys go to sixteen parts.
  const uint64_t *keys = many_words;
  uint64_t *out = many_others;
  uint64_t offsets[16];
  for (int k = 0; k < 16; ++k) offsets[k] = (uint64_t)k << 16;
  TASKS(shared_var(offsets))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(keys);
    REMOTE(out);
    uint64_t key = keys[i * 8 & (WORDS - 1)];
    out[offsets[key & 15]++] = key;
  }
#elif MANY_HISTOGRAM
  // Two bins of each number count.
  uint64_t *bins = many_words;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(bins);
    ++bins[mix64(i) >> 44];
    ++bins[(mix64(i) >> 20 & 63) * 1024];
  }
#elif MANY_DECODE
  // Pieces of text, whose lengths are data, are copied.
  const uint64_t *places = many_words;
  const uint8_t *dict = many_text;
  uint8_t *out = (uint8_t *)many_others;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(places);
    REMOTE(dict);
    REMOTE(out);
    uint64_t length = 1 + (places[i * 16 & (WORDS - 1)] & 31);
    memcpy(out + i * 32, dict + places[i * 16 & (WORDS - 1)], length);
  }
#elif MANY_WALK
  // Random walks of eight steps.
  const uint32_t *row = many_start, *column = many_edges;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(row);
    REMOTE(column);
    uint64_t seed = mix64(i);
    uint32_t v = seed >> 47;
    for (int step = 0; step < 8; ++step) {
      uint32_t low = row[v], degree = row[v + 1] - low;
      seed = seed * 6364136223846793005u + 1;
      v = column[low + (seed >> 33) % degree];
    }
    sum += v;
  }
  many_result += sum;
#elif MANY_STENCIL
  // Five points.
  const uint64_t *in = many_words;
  uint64_t *out = many_others;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(in);
    REMOTE(out);
    uint64_t x = (i * 521 & 1022) + 1, y = (i * 37 & 1021) + 1;
    out[y * 1024 + x] = in[y * 1024 + x] + in[(y - 1) * 1024 + x] + in[(y + 1) * 1024 + x] + in[y * 1024 + x - 1] + in[y * 1024 + x + 1];
  }
#elif MANY_COLUMNS
  // Sixteen words far apart.
  const uint64_t *in = many_words;
  uint64_t *out = many_others;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(in);
    REMOTE(out);
    uint64_t sum = 0;
    for (uint64_t r = 0; r < 16; ++r)
      sum += in[r * 65536 + i * 8];
    out[i] = sum;
  }
#elif MANY_COUNTERS || MANY_FEW
  // One of a few counters.
  uint64_t *counts = many_words;
  TASKS()
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(counts);
    uint64_t hash = mix64(i);
    counts[COUNTER(hash)] += hash;
  }
#elif MANY_FRESH
  // No tasks: lines that no cache has are written, and one of their words is read three operations later.
  uint64_t *words = many_words, sum = 0;
  for (uint64_t i = first; i < last; ++i) {
    uint64_t *node = &words[i * 2654435761u % (WORDS / 8) * 8];
    node[0] = i;
    node[1] = i * 3;
    __asm__ volatile("" : : : "memory");
    sum += words[(i - 3) * 2654435761u % (WORDS / 8) * 8];
  }
  many_result = sum;
#elif MANY_SUMS || MANY_UNTIL || MANY_LISTED
  // Words of 4 KiB, or others, each time by a loop of its own.
  for (uint64_t i = first; i < last; ++i)
    many_result += sum_of(i) * (i + 1);
#elif MANY_PARTLY
  // Three of four words are some of 4 KiB.
  const uint64_t *words = many_words;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(words);
    uint64_t hash = mix64(i);
    sum += words[hash % 4 ? (hash >> 2) % 512 : (hash >> 2) % WORDS] * (i + 1);
  }
  many_result += sum;
#elif MANY_SKIPS
  // A skip list, whose upper levels stay in the caches.
  const struct tower *towers = many_towers;
  uint64_t sum = 0;
  TASKS(reduction(+: sum))
  for (uint64_t i = first; i < last; ++i) {
    REMOTE(towers);
    uint64_t key = mix64(i) % (8 * TOWERS);
    uint32_t at = 0;
    for (int level = LEVELS - 1; level >= 0; --level)
      for (uint32_t next; (next = towers[at].next[level]) != 0 && towers[next].key <= key;)
        at = next;
    sum += towers[at].key * (i + 1);
  }
  many_result += sum;
#endif
}
