// SPDX-License-Identifier: Apache-2.0
// Each reason to leave a loop serial, with the place that is the reason.
// RUN: %clang %plugin -O2 -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"

void unknown(uint64_t);
extern volatile int flag;
int last;

// CHECK: :[[#@LINE+2]]:9: warning: loop left serial: it calls 'unknown', whose effects are unknown; define it in this file (line [[#@LINE+5]], column 5) [-Wpass-failed]
void call(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    unknown(a[i]);
  }
}
// CHECK: warning: loop left serial: all its remote data decide about the next iteration, there is nothing to overlap; mark a loop around it (line [[#@LINE+5]], column 9)
int leave(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] == 7)
      return i;
  }
  return -1;
}
// CHECK: warning: loop left serial: it contains a volatile access; move it out of the loop
void is_volatile(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    flag = (int)a[i];
  }
}
// CHECK: warning: loop left serial: the value of 'at' carried from one iteration to the next depends on remote data (line [[#@LINE+6]], column 10)
uint64_t chase(uint64_t *a, int n) {
  uint64_t at = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    at = a[at];
  }
  return at;
}
// CHECK: warning: loop left serial: the value of 'sum' carried from one iteration to the next is read by other than commutative updates of itself; if iterations may come in any order, name it in shared_var(sum) (line
double reassociate(double *a, int n) {
  double sum = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    sum += a[i];
  }
  return sum;
}
// CHECK: warning: loop left serial: whether it ends is read from memory that the loop may write; pointers that never meet can be restrict, what stays the same can be copied in front of the loop (line [[#@LINE+6]], column 9)
void leave_behind_write(uint64_t *a, uint64_t *b, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    if (a[i] == 7)
      break;
    b[i] += 3;
  }
}
// CHECK: warning: loop left serial: it never ends
void endless(uint64_t *a) {
#pragma asyncmem num_task(4)
  for (int i = 0;; i = (i + 1) % 8) {
    __builtin_is_remote(a);
    a[i] *= 3;
  }
}
// CHECK: warning: loop left serial: every iteration writes the same variable
void same_place(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] & 1)
      last = i;
  }
}
// CHECK: warning: loop left serial: local memory is read before and written after a remote access
void stale(uint64_t *a, uint64_t *counts, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t old = counts[i % 7];
    counts[i % 7] = old / (a[i] | 1);
  }
}
// CHECK: warning: loop left serial: it copies or fills a block of remote memory whose size is not known or above 256 bytes; use memcpy or a loop (line [[#@LINE+5]], column 5)
void block(char *a, char *out, int n, unsigned length) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_memmove(out + i * 512, a + i * 512, length);
  }
}
// CHECK: warning: loop left serial: it allocates stack memory of variable size; make it fixed (line [[#@LINE+5]], column 5)
void variable(const int *a, int *out, int n, int length) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    int copy[length];
    for (int k = 0; k < length; ++k)
      copy[k] = a[i + k];
    for (int k = 0; k < length; ++k)
      out[i] += copy[k] * copy[length - 1 - k];
  }
}
// CHECK: warning: loop left serial: the variables of the loop body need more than 4096 bytes for each task; use the heap
void large(uint64_t *a, uint64_t *out, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t seen[1024] = {0};
    for (int j = 0; j < n; ++j)
      seen[a[j] % 1024]++;
    out[i] = seen[i % 1024];
  }
}
// CHECK: warning: loop left serial: a loop in it may wait for another iteration without a remote access; use asyncmem_lock
void spin(uint64_t *a, uint64_t *local_flag, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    while (__atomic_exchange_n(local_flag, 1, __ATOMIC_ACQUIRE))
      ;
    a[i] += 1;
    __atomic_store_n(local_flag, 0, __ATOMIC_RELEASE);
  }
}
// The frames of tasks that prefetch move.
// CHECK: warning: loop left serial: the address of a variable of the loop body is used where it cannot follow the task; use its value (line [[#@LINE+6]], column
void rows(const int *a, int *out, int n, int length) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    int first[8] = {0}, second[8], *old = first, *new = second;
    for (int k = 0; k < length; ++k) {
      for (int j = 0; j < 8; ++j)
        new[j] = old[7 - j] + a[(i * 8 + j) * k];
      int *swap = old;
      old = new;
      new = swap;
    }
    out[i] = old[3];
  }
}
// CHECK: warning: loop left serial: it has no remote access to wait for
void local_only(int n) {
  static uint64_t own[512];
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i)
    own[i * 2] ^= 3;
}
