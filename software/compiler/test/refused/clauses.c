// SPDX-License-Identifier: Apache-2.0
// Clauses that cannot be honoured, behind others that could.
// RUN: %same_as_off %s %t
#include "refused.h"

uint64_t global;

uint64_t not_every_path(uint64_t *t, int n) {
  OUTSIDE
  uint64_t v = 0;
  // REFUSED: a lastprivate() variable is not assigned on every path through an iteration; assign it on every path
#pragma asyncmem num_task(4) CLAUSES lastprivate(v)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    if (t[i] & 1)
      v = t[i];
    INSIDE((uint64_t)i)
  }
  return RESULT + v;
}

uint64_t not_local(uint64_t *t, int n) {
  OUTSIDE
  // REFUSED: private(), firstprivate() or lastprivate() names something that is not a local variable of fixed size; copy it to one
#pragma asyncmem num_task(4) CLAUSES firstprivate(global)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    global += t[i];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t an_array(uint64_t *t, int n) {
  OUTSIDE
  uint64_t words[4] = {1, 2, 3, 4};
  // REFUSED: lastprivate() names an array, a structure or a variable whose address is taken; name a variable that gets its value in the loop
#pragma asyncmem num_task(4) CLAUSES lastprivate(words)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    words[i & 3] = t[i];
    INSIDE((uint64_t)i)
  }
  return RESULT + words[1];
}

uint64_t from_before(uint64_t *t, int n) {
  OUTSIDE
  uint64_t words[4] = {1, 2, 3, 4}, *first = words;
  // REFUSED: private(), firstprivate() or lastprivate() names a variable that the loop reaches by an address from before it; take the address in the loop
#pragma asyncmem num_task(4) CLAUSES private(words)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    first[i & 3] = t[i];
    t[i] = words[0] + words[i & 1];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

struct itself {
  uint64_t value, *at;
};

uint64_t own_address(uint64_t *t, int n) {
  OUTSIDE
  struct itself own = {1, 0};
  own.at = &own.value;
  // REFUSED: private(), firstprivate() or lastprivate() names a variable that the loop reaches by an address from before it; take the address in the loop
#pragma asyncmem num_task(4) CLAUSES firstprivate(own)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    *own.at += t[i];
    t[i] = own.value;
    own.value = 1;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t not_a_variable(uint64_t *const *t, const uint32_t *at, int n) {
  OUTSIDE
  // REFUSED: lossy_update() or distinct_update() names something that is not a variable; copy it to one
#pragma asyncmem num_task(4) CLAUSES lossy_update(t[1])
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t[1]);
    t[1][at[i]]++;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t used_on_both_sides(const uint64_t *t, uint64_t (*out)[2], int n) {
  OUTSIDE
  uint64_t tail = 0;
  // REFUSED: a shared variable is used on both sides of a remote access, other iterations may change it between; read it once, where it is changed
#pragma asyncmem num_task(4) CLAUSES shared_var(tail)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    out[tail][0] = (uint64_t)i;
    out[tail][1] = t[i];
    tail++;
    INSIDE((uint64_t)i)
  }
  return RESULT + tail;
}

uint64_t ends_by_sum(const uint64_t *t, int n) {
  OUTSIDE
  uint64_t sum = 0;
  // REFUSED: whether it ends follows from a variable that a clause lets iterations change in any order
#pragma asyncmem num_task(4) CLAUSES shared_var(sum)
  for (int i = 0; i < n && sum < 100000; ++i) {
    __builtin_is_remote(t);
    sum += t[i];
    INSIDE((uint64_t)i)
  }
  return RESULT + sum;
}

uint64_t place_of_best(const uint64_t *t, int n) {
  OUTSIDE
  uint64_t best = 0, at = 0;
  // REFUSED: follows from a variable that a clause lets iterations change in any order; if iterations may come in any order, name it in shared_var(at)
#pragma asyncmem num_task(4) CLAUSES shared_var(best)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    uint64_t now = t[i];
    if (now > best) {
      best = now;
      at = (uint64_t)i;
    }
    INSIDE((uint64_t)i)
  }
  return RESULT + best + at;
}

double taken_apart(double *t, int n) {
  OUTSIDE
  double sum = 1, best = 2;
  // REFUSED: ' is read before and written after a remote access, other iterations may change it between; hold asyncmem_lock from the read to the write
#pragma asyncmem num_task(4) CLAUSES shared_var(sum, best)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(t);
    sum += t[i];
    double old = best;
    best = old / t[(int)old + i];
    INSIDE((uint64_t)i)
  }
  return (double)(RESULT) + sum + best;
}
