// SPDX-License-Identifier: Apache-2.0
// A value that one iteration hands to the next is named as the program names it, at its place in the pragma's file. shared_var is proposed where it
// helps: with NAMED each proposal is followed, and nothing is left serial.
// RUN: %clangxx %plugin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clangxx %plugin -O2 -g -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clangxx %plugin -O2 -DNAMED -c %s -o %t.o -Werror=pass-failed
#include "asyncmem.h"

#include "steps.h"

#ifdef NAMED
#define PROPOSED(...) shared_var(__VA_ARGS__)
#else
#define PROPOSED(...)
#endif
#define DO_PRAGMA(text) _Pragma(#text)
#define TASKS(...) DO_PRAGMA(asyncmem num_task(4) __VA_ARGS__)

// CHECK: warning: loop left serial: the value of 'tail' carried from one iteration to the next is read from memory that the loop may write; if iterations may come in any order, name it in shared_var(tail) (line [[#@LINE+6]], column 9) [-Wpass-failed]
uint64_t append(uint64_t *a, uint64_t *list, int n) {
  uint64_t tail = 0;
  TASKS(PROPOSED(tail))
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      list[tail++] = i;
  }
  return tail;
}
// CHECK: warning: loop left serial: the value of '{{place|best}}' carried from one iteration to the next depends on remote data; if iterations may come in any order, name them in shared_var({{place, best|best, place}}) (line [[#@LINE+6]], column
uint64_t largest(uint64_t *a, int n) {
  uint64_t best = 0, place = 0;
  TASKS(PROPOSED(best, place))
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] > best) {
      best = a[i];
      place = i;
    }
  }
  return best + place;
}
// CHECK: warning: loop left serial: the value of 'sum' carried from one iteration to the next is read by other than commutative updates of itself; if iterations may come in any order, name it in shared_var(sum) (line [[#@LINE+6]], column 9) [-Wpass-failed]
double add(double *a, int n) {
  double sum = 0;
  TASKS(PROPOSED(sum))
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[i];
  }
  return sum;
}
#ifndef NAMED
// What the next iteration reads is remote: nothing is proposed.
// CHECK: warning: loop left serial: the value of 'at' carried from one iteration to the next depends on remote data (line [[#@LINE+6]], column 10) [-Wpass-failed]
uint64_t chase(uint64_t *a, int n) {
  uint64_t at = 0;
  TASKS()
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    at = a[at];
  }
  return at;
}
// The update stands in a header, the variable here; no clause shares a part of it.
// CHECK: warning: loop left serial: the value of 'it' carried from one iteration to the next is read from memory that the loop may write; hold asyncmem_lock from the read to the write (line [[#@LINE+4]], column {{[0-9]+}}) [-Wpass-failed]
uint64_t steps(uint64_t *a, uint64_t *words, int n) {
  step_iterator it = {words, 0}, end = {words + n, 0};
  TASKS()
  for (; it != end; ++it) {
    __builtin_is_remote(a);
    a[*it] += 1;
  }
  return a[0];
}
// Pointers that are restrict already, or the same: no hint.
// CHECK: warning: loop left serial: the value of 'i' carried from one iteration to the next is read from memory that the loop may write; hold asyncmem_lock from the read to the write (line [[#@LINE+6]], column
void list(uint64_t *__restrict a, uint64_t *__restrict next, uint64_t n) {
  uint64_t i;
  TASKS()
  for (i = 0; i < n; i = next[i]) {
    __builtin_is_remote(a);
    a[i] += 3;
    next[i] = a[i];
  }
}
#endif
