// SPDX-License-Identifier: Apache-2.0
// Exits at which the program ends are part of an iteration: nothing waits for them at launch. Code of the program that
// runs before the end (handlers of exit) would see iterations half done: decided in order, or the loop stays serial.
// RUN: %clang %plugin -O2 -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang %plugin -O2 -fsanitize=undefined -fno-sanitize-recover=all -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UBSAN %s
// RUN: %clang %plugin -O2 -fsanitize=undefined -fsanitize-trap=undefined -Rpass=asyncmem -c %s -o %t.o 2>&1 | FileCheck --check-prefix=UBSAN %s
// RUN: %clang %plugin -O2 -fsanitize=undefined -c %s -o %t.o 2>&1 | FileCheck --check-prefix=RECOVER %s
#include "asyncmem.h"
#include <assert.h>
#include <stdlib.h>

// CHECK-DAG: [[#@LINE+4]]:9: remark: loop split into tasks: 16 tasks, {{.*}}1 suspensions for {{[12]}} remote accesses
// UBSAN: [[#@LINE+3]]:9: remark: loop split into tasks: 16 tasks, {{.*}} remote accesses
// RECOVER: [[#@LINE+2]]:9: warning: loop left serial: it calls '__ubsan_handle_{{[a-z0-9_]+}}', whose effects are unknown; define it in this file
void aborts(uint64_t *a, const int *at, int *sums, int n) {
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[at[i]] == 7)
      abort();
    sums[i] += (int)a[at[i]];
  }
}
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks: 8 tasks
// UBSAN: [[#@LINE+2]]:9: remark: loop split into tasks: 8 tasks
void fails(const uint64_t *a, const int *at, uint64_t *sums, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    assert(a[at[i]] < 1000);
    for (uint64_t k = 0; k < a[at[i]]; ++k) {
      if (a[at[k]] == 9)
        __builtin_trap();
      sums[i] += a[at[k]];
    }
  }
}
// What libc++ has for exceptions in code without them.
__attribute__((noreturn)) void _ZNSt3__122__libcpp_verbose_abortEPKcz(const char *, ...);
__attribute__((noreturn, noinline)) static void throw_bad_access(void) { _ZNSt3__122__libcpp_verbose_abortEPKcz("bad access"); }
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks: 12 tasks
// UBSAN: [[#@LINE+2]]:9: remark: loop split into tasks: 12 tasks
void throws(const uint64_t *a, const int *at, uint64_t *sums, int n) {
#pragma asyncmem num_task(12)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[at[i]] == 7)
      throw_bad_access();
    sums[i] += a[at[i]];
  }
}
// CHECK-DAG: [[#@LINE+2]]:9: warning: loop left serial: {{.*}}(line [[#@LINE+5]]
void exits(uint64_t *a, uint64_t *sums, int n) {
#pragma asyncmem num_task(8)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    if (a[i] == 7)
      exit(3);
    sums[i] += a[i];
  }
}
