// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Inner loops whose loads are requested for several iterations at once: rows of every length from anywhere in a line, addresses
// from one row, from two, from both fields of a record and from arithmetic, upwards and downwards; iterations that write what
// later ones load, whole, in part and across its ends, or the row that addresses come from. Behind a row lie indices that no
// memory belongs to: nothing may be loaded for an iteration that does not run.
#include "common.h"

enum { ROWS = 130, OWN = 64, WORDS = OWN * ROWS, INDICES = 1 << 14 };

// Row r has r % 65 elements.
static uint64_t begins(uint64_t r) { return r * 80 + r % 9; }
static uint64_t ends(uint64_t r) { return begins(r) + r % 65; }

// What a search does, in a part of `tree` that the iteration has for itself; elements repeat in a row.
__attribute__((noinline)) static uint64_t search(const int64_t *neighbours, int64_t *tree, int64_t *list) {
  int64_t tail = 0;
#pragma asyncmem num_task(128) shared_var(tail) lossy_update(tree)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(neighbours);
    __builtin_is_remote(tree);
    __builtin_is_remote(list);
    for (uint64_t e = begins(r); e < ends(r); ++e) {
      int64_t neighbour = neighbours[e] + (int64_t)(r * OWN);
      if (tree[neighbour] % 3 != 1) {
        tree[neighbour] = (int64_t)e * 3 + 1;
        list[tail++] = neighbour;
      }
    }
  }
  // The tasks' order decides where in the list something is.
  uint64_t sum = 0;
  for (int64_t k = 0; k < tail; ++k)
    sum += (uint64_t)list[k] * (uint64_t)tree[list[k]];
  return sum + (uint64_t)tail;
}

__attribute__((noinline)) static double multiply(const double *values, const uint32_t *columns, const double *vector, double *to) {
  double all = 0;
#pragma asyncmem num_task(16) reduction(+ : all)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(values);
    __builtin_is_remote(columns);
    __builtin_is_remote(vector);
    __builtin_is_remote(to);
    double sum = 0;
    for (uint64_t e = begins(r); e < ends(r); ++e)
      sum += values[e] * vector[columns[e]];
    to[r] = sum;
    all += sum;
  }
  return all;
}

struct edge {
  uint32_t to, weight;
};
struct node {
  uint32_t key, rank;
  uint64_t value;
};

__attribute__((noinline)) static uint64_t weights(const struct edge *edges, const struct node *nodes) {
  uint64_t sum = 0;
#pragma asyncmem num_task(31) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(edges);
    __builtin_is_remote(nodes);
    for (uint64_t e = ends(r); e > begins(r); --e) {
      const struct node *node = &nodes[edges[e - 1].to];
      sum += node->key * (uint64_t)edges[e - 1].weight + (node->value ^ node->rank);
    }
  }
  return sum;
}

// No row: the addresses follow from the counter, for up to eight iterations.
__attribute__((noinline)) static uint64_t columns(const uint64_t *matrix, uint64_t stride, int most) {
  uint64_t sum = 0;
#pragma asyncmem num_task(400) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(matrix);
    for (int k = 0; k < (int)(r % 23) && k < most; ++k)
      sum += matrix[r + (uint64_t)k * stride] * (uint64_t)(k + 1);
  }
  return sum;
}

__attribute__((noinline)) static uint64_t hashed(const uint16_t *table, uint64_t seed) {
  uint64_t sum = 0;
#pragma asyncmem num_task(500) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(table);
    uint64_t count = r % 11;
    do {
      sum += table[(seed + r * 17 + count * count * 0x9e3779b97f4a7c15u) >> 52];
    } while (count--);
  }
  return sum;
}

typedef uint32_t half __attribute__((may_alias));

// Words are written, halves are loaded, some across the end of a word.
__attribute__((noinline)) static void mixed(const uint8_t *places, half *halves, uint64_t *words) {
#pragma asyncmem num_task(64)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(places);
    __builtin_is_remote(halves);
    __builtin_is_remote(words);
    for (uint64_t e = begins(r); e < ends(r); ++e) {
      uint64_t x = halves[r * 2 * OWN + places[e] % 8];
      if (x % 4)
        words[r * OWN + x % 4] = x * 0x9e3779b97f4a7c15u + e;
      else
        ((uint8_t *)words)[r * OWN * 8 + e % 24] = (uint8_t)(e + x);
    }
  }
}

// The iteration changes its own row behind the element that it is at.
__attribute__((noinline)) static uint64_t rewritten(uint64_t *indices, uint64_t *other, const uint64_t *words) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(indices);
    __builtin_is_remote(other);
    __builtin_is_remote(words);
    for (uint64_t e = begins(r); e < ends(r); ++e) {
      uint64_t x = words[indices[e]];
      sum += x * e;
      if (x % 3 && e + 3 < ends(r))
        other[e + 1 + x % 3] = x % WORDS;
    }
  }
  return sum;
}

// Left early: an element behind the exit must not be used.
__attribute__((noinline)) static uint64_t until(const uint64_t *indices, const uint64_t *words) {
  uint64_t sum = 0;
#pragma asyncmem num_task(64) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(indices);
    __builtin_is_remote(words);
    for (uint64_t e = begins(r);; ++e) {
      uint64_t index = indices[e];
      if (index >= WORDS)
        break;
      sum += words[index] + e;
    }
  }
  return sum;
}

// Pointers in a row, null behind its end; some iterations store, in one of two inner loops.
__attribute__((noinline)) static uint64_t pointed(uint64_t *const *row, uint64_t *own) {
  uint64_t sum = 0;
#pragma asyncmem num_task(200) reduction(+ : sum)
  for (uint64_t r = 0; r < ROWS; ++r) {
    __builtin_is_remote(row);
    __builtin_is_remote(own);
    uint64_t x = 0;
    for (uint64_t e = begins(r); e < ends(r); ++e) {
      uint64_t *at = row[e];
      __builtin_is_remote(at);
      x = x * 3 + *at;
    }
    for (uint64_t e = 0; e < r % 19; ++e) {
      uint64_t place = r * OWN + e * e * 7 % OWN;
      x ^= own[place];
      if (x & 1)
        own[r * OWN + x % OWN] = x;
    }
    sum += x;
  }
  return sum;
}

int main(void) {
  uint64_t *words = remote_words(WORDS), *own = remote_words(WORDS);
  uint64_t *indices = remote_words(INDICES), *places = remote_words(INDICES), *list = remote_words(INDICES);
  uint64_t **pointers = (uint64_t **)remote_words(INDICES);
  uint32_t *halves = (uint32_t *)remote_words(INDICES);
  struct edge *edges = (struct edge *)remote_words(INDICES);
  for (uint64_t k = 0; k < INDICES; ++k) {
    halves[k] = edges[k].to = ~0u;
    indices[k] = places[k] = ~0ull >> 3;
    pointers[k] = 0;
  }
  for (uint64_t r = 0; r < ROWS; ++r)
    for (uint64_t e = begins(r); e < ends(r); ++e) {
      indices[e] = halves[e] = mix(e) % WORDS;
      edges[e].to = mix(e) % (WORDS / 2);
      places[e] = mix(e) % 40;
      pointers[e] = &words[mix(e) % WORDS];
    }
  double *numbers = (double *)remote_words(INDICES), *to = (double *)remote_words(INDICES);
  for (uint64_t k = 0; k < INDICES; ++k)
    numbers[k] = (double)(mix(k) % 1000);
  uint64_t results[10] = {
      search((int64_t *)places, (int64_t *)own, (int64_t *)list), (uint64_t)multiply(numbers, halves, numbers, to),
      weights(edges, (struct node *)words), columns(words, 101, 1000), columns(words, 1, 9), hashed((uint16_t *)words, 5),
      until(indices, words), pointed(pointers, own)};
  mixed((uint8_t *)words, (half *)own, own);
  results[8] = rewritten(indices, indices, words);
  print_digest("results", results, sizeof results);
  print_digest("own", own, WORDS * sizeof *own);
  print_digest("to", to, ROWS * sizeof *to);
  print_digest("indices", indices, INDICES * sizeof *indices);
  return 0;
}
