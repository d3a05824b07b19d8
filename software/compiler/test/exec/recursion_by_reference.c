// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// A recursion updates a variable of the iteration through its address, as a search for the nearest neighbour does, also deeper than a task has levels.
#include "common.h"

enum { POINTS = 400, QUERIES = 90 };

struct point {
  int64_t at[2];
  struct point *before, *behind;
};

static void nearest(const struct point *p, const int64_t *to, unsigned axis, int64_t *best) {
  if (!p)
    return;
  const int64_t x = p->at[0] - to[0], y = p->at[1] - to[1], distance = x * x + y * y, side = to[axis] - p->at[axis];
  if (distance < *best)
    *best = distance;
  nearest(side < 0 ? p->before : p->behind, to, !axis, best);
  if (side * side < *best)
    nearest(side < 0 ? p->behind : p->before, to, !axis, best);
}

__attribute__((noinline)) static void search(const struct point *points, const int64_t *queries, int64_t *found) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < QUERIES; ++i) {
    const struct point *root = points;
    __builtin_is_remote(root);
    int64_t best = INT64_MAX;
    nearest(root, &queries[2 * i], 0, &best);
    found[i] = best;
  }
}

// Two words of an array, one of them the depth reached.
static void walk(const struct point *p, uint64_t depth, uint64_t *seen) {
  if (depth > seen[0])
    seen[0] = depth;
  if (!p)
    return;
  walk(p->before, depth + 1, seen);
  seen[1] = seen[1] * 31 + (uint64_t)p->at[0];
  walk(p->behind, depth + 1, seen);
}

__attribute__((noinline)) static void walks(struct point *const *roots, uint64_t *seen) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < QUERIES; ++i) {
    const struct point *root = roots[i];
    __builtin_is_remote(root);
    uint64_t own[2] = {i, 1};
    walk(root, 0, own);
    seen[2 * i] = own[0];
    seen[2 * i + 1] = own[1];
  }
}

static void insert(struct point *root, struct point *p) {
  for (unsigned axis = 0;; axis = !axis) {
    struct point **next = p->at[axis] < root->at[axis] ? &root->before : &root->behind;
    if (!*next) {
      *next = p;
      return;
    }
    root = *next;
  }
}

int main(void) {
  struct point *points = remote_alloc(POINTS * sizeof *points), *roots[QUERIES];
  static int64_t queries[2 * QUERIES], found[QUERIES];
  static uint64_t seen[2 * QUERIES];
  for (uint64_t i = 0; i < POINTS; ++i) {
    // The last ones are a chain of 150.
    const int64_t x = i < 250 ? (int64_t)(mix(i) % 1000) : (int64_t)(1000 + i), y = i < 250 ? (int64_t)(mix(i + POINTS) % 1000) : (int64_t)(1000 + i);
    points[i] = (struct point){{x, y}, NULL, NULL};
    if (i)
      insert(points, &points[i]);
  }
  for (uint64_t i = 0; i < QUERIES; ++i) {
    queries[2 * i] = (int64_t)(mix(i * 3) % 1500);
    queries[2 * i + 1] = (int64_t)(mix(i * 5) % 1500);
    roots[i] = &points[i * 4];
  }
  search(points, queries, found);
  walks(roots, seen);
  print_digest("found", found, sizeof found);
  print_digest("seen", seen, sizeof seen);
  return 0;
}
