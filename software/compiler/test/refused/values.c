// SPDX-License-Identifier: Apache-2.0
// Loops refused for what one iteration hands to the next, and for how they end.
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t chase(uint64_t *a, int n) {
  OUTSIDE
  uint64_t at = 0;
  // REFUSED: the value of 'at' carried from one iteration to the next depends on remote data
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    at = a[at];
    INSIDE((uint64_t)i)
  }
  return RESULT + at;
}

uint64_t sometimes(uint64_t *a, int n) {
  OUTSIDE
  uint64_t last = 5;
  // REFUSED: the value of 'last' carried from one iteration to the next
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t v = a[i * 7 % 64];
    if (v & 1)
      last = v;
    INSIDE((uint64_t)i)
  }
  return RESULT + last;
}

uint64_t doubles(uint64_t *a, int n) {
  OUTSIDE
  uint64_t all = 1;
  // REFUSED: the value of 'all' carried from one iteration to the next
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t version = all + a[i * 7 % 64];
    all = version + all;
    INSIDE((uint64_t)i)
  }
  return RESULT + all;
}

struct point {
  double x, y;
};

double adds_points(const struct point *points, const uint32_t *at, int n) {
  OUTSIDE
  struct point all = {0, 0};
  // REFUSED: the value of 'all' carried from one iteration to the next is read by other than commutative updates of itself; its floating point fields must be variables of their own, named in shared_var or reduction
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(points);
    all.x += points[at[i]].x;
    all.y += points[at[i]].y;
    INSIDE((uint64_t)i)
  }
  return all.x + all.y + (double)RESULT;
}

uint64_t mixes(uint64_t *a, int n) {
  OUTSIDE
  uint64_t sum = 5;
  // REFUSED: the value of 'sum' carried from one iteration to the next is updated by different operations
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[i];
    sum ^= a[i + 7];
    INSIDE((uint64_t)i)
  }
  return RESULT + sum;
}

double overwrites(uint64_t *a, uint64_t *restrict out, int n) {
  OUTSIDE
  double seen = 1;
  // REFUSED: the value of 'seen' carried from one iteration to the next is sometimes overwritten
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1) {
      seen = (double)i;
      out[i] = 3;
    }
    INSIDE((uint64_t)i)
  }
  return (double)(RESULT) + seen;
}

uint64_t effects(uint64_t *a, uint64_t *word, int n) {
  OUTSIDE
  uint64_t at = 0;
  // REFUSED: the value of 'at' carried from one iteration to the next is computed by an operation with effects
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    at = __atomic_fetch_add(word, at, __ATOMIC_RELAXED);
    a[at & 7] += at;
    INSIDE((uint64_t)i)
  }
  return RESULT + at;
}

uint64_t controlled(uint64_t *a, const uint64_t *restrict order, int n) {
  OUTSIDE
  uint64_t sum = 0;
  int odd = 0;
  // REFUSED: the value of 'odd' carried from one iteration to the next depends on the control flow of the iteration
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (odd) {
      sum += a[order[i]];
      odd = 0;
    } else {
      sum ^= a[i];
      odd = 1;
    }
    INSIDE((uint64_t)i)
  }
  return RESULT + sum;
}

double reassociates(double *a, int n) {
  OUTSIDE
  double sum = 0;
  // REFUSED: the value of 'sum' carried from one iteration to the next is read by other than commutative updates of itself
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[i];
    INSIDE((uint64_t)i)
  }
  return sum + (double)(RESULT);
}

uint64_t leaves(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: all its remote data decide about the next iteration, there is nothing to overlap; mark a loop around it
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] == 7)
      break;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t leaves_behind_write(uint64_t *a, uint64_t *b, int n) {
  OUTSIDE
  // REFUSED: whether it ends is read from memory that the loop may write; pointers that never meet can be restrict, what stays the same can be copied in front of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    if (a[i] == 7)
      break;
    b[i] += 3;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t written_list(uint64_t *a, uint64_t *next, int n) {
  OUTSIDE
  // REFUSED: is read from memory that the loop may write; pointers that never meet can be restrict, what stays the same can be copied in front of the loop
#pragma asyncmem num_task(4) CLAUSES
  for (uint64_t i = 0; i < (uint64_t)n; i = next[i]) {
    __builtin_is_remote(a);
    a[i] += 3;
    INSIDE(i)
  }
  return RESULT;
}
