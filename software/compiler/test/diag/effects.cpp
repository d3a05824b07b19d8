// SPDX-License-Identifier: Apache-2.0
// Effects in program order and control flow that leaves the function: the loop stays serial.
// RUN: %clangxx %plugin -O2 -fexceptions -c %s -o %t.o 2>&1 | FileCheck %s
#include "asyncmem.h"
#include <setjmp.h>

#include "row.h"

void may_throw(uint64_t);
void does_not_throw(uint64_t) noexcept;
extern jmp_buf place;
struct thrown_object {
  explicit thrown_object(int);
  ~thrown_object();
};

// CHECK: [[#@LINE+2]]:9: warning: loop left serial: it calls 'may_throw(unsigned long)', which may throw; define it in this file, noexcept (line [[#@LINE+5]], column 5)
void exception(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    may_throw(a[i]);
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial:
void thrown_here(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] == 7)
      throw i;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial:
void caught_inside(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    try {
      may_throw(a[i]);
    } catch (...) {
      a[i] = 0;
    }
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: it calls 'does_not_throw(unsigned long)', whose effects are unknown; define it in this file
void effects(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    does_not_throw(a[i]);
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial:
void jumps_away(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] == 7)
      longjmp(place, 1);
  }
}
// CHECK: [[#@LINE+4]]:9: warning: loop left serial: its function calls setjmp or the like; give the loop one of its own
void jumped_to(uint64_t *a, int n) {
  if (setjmp(place))
    return;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    a[i] += 1;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: it contains inline assembly; move it out of the loop
void assembly(uint64_t *a, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    uint64_t x = a[i];
    __asm__ volatile("" : "+r"(x));
    a[i] = x;
  }
}
// CHECK: [[#@LINE+2]]:9: warning: loop left serial:
void through_a_pointer(uint64_t *a, int n, void (*f)(uint64_t) noexcept) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    f(a[i]);
  }
}
// CHECK: [[#@LINE+3]]:9: warning: loop left serial: the value of 'value' carried from one iteration to the next
uint64_t polynomial(uint64_t *a, int n) {
  uint64_t value = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    value = value * 31 + a[i];
  }
  return value;
}
// CHECK: [[#@LINE+3]]:9: warning: loop left serial: the value of 'value' carried from one iteration to the next
uint64_t difference(uint64_t *a, int n) {
  uint64_t value = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    value = a[i] - value;
  }
  return value;
}
// The place is a line of the pragma's file, not of the header that it comes from.
// CHECK: [[#@LINE+2]]:9: warning: loop left serial: it calls 'row_make(unsigned long)', which may throw; define it in this file, noexcept (line [[#@LINE+5]], column 15) [-Wpass-failed]
uint64_t *allocates(uint64_t *a, uint64_t **rows, int n) {
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    rows[i] = row_alloc(a[i]);
  }
  return a;
}
// Two places of the same clean-up join behind their landing pads.
// CHECK: [[#@LINE+3]]:9: warning: loop left serial: it calls '__cxa_allocate_exception', whose effects are unknown; define it in this file
int joined_landing_pads(uint64_t *a, int n) {
  int caught = 0;
#pragma asyncmem num_task(4)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    try {
      if (a[i] == 7)
        throw thrown_object(i);
    } catch (const thrown_object &) {
      ++caught;
    }
  }
  return caught;
}
