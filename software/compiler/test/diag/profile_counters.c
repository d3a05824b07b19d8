// SPDX-License-Identifier: Apache-2.0
// A program that counts how often its code runs: the counters come into a loop behind the start of the pipeline. The trial
// knows them, so that clauses are carried out only in loops that become tasks, and no pointer of the program meets them.
// RUN: %clang %plugin -O2 --coverage -Rpass=asyncmem -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck --check-prefixes=CHECK,PLAIN %s
// RUN: %clang %plugin -O2 --coverage -fprofile-update=atomic -Rpass=asyncmem -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck --check-prefixes=CHECK,ATOMIC %s
// RUN: %clang %plugin -O2 -fprofile-instr-generate -Rpass=asyncmem -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck --check-prefixes=CHECK,PLAIN %s
// RUN: %clang %plugin -O2 -fprofile-instr-generate -fprofile-update=atomic -Rpass=asyncmem -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck --check-prefixes=CHECK,ATOMIC %s
// RUN: %clang %plugin -O2 -fprofile-instr-generate -fcoverage-mapping -Rpass=asyncmem -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck --check-prefixes=CHECK,PLAIN %s
// RUN: %clang %plugin -O2 -fprofile-generate -Rpass=asyncmem -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
#include "asyncmem.h"
#include <stdint.h>

// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks: 8 tasks
uint64_t stops(const uint64_t *r, const int *at, int n, int stop) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    if (at[i] == stop)
      break;
    __builtin_is_remote(r);
    sum += r[at[i]];
  }
  return sum;
}

// Several ways out of the loop and on to the next iteration, each with its counter.
// CHECK-DAG: [[#@LINE+3]]:9: remark: loop split into tasks: 8 tasks
uint64_t chooses(const uint64_t *r, uint64_t *restrict w, const int *restrict at, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(r);
    switch (at[i]) {
    case -1:
      return sum;
    case -2:
      goto out;
    case -4:
      continue;
    case -5:
      return sum + 1;
    default:
      w[i] += r[at[i]];
    }
    sum += r[w[i] & 7];
  }
  return sum;
out:
  return sum * 3;
}

// The optimizer keeps the inner loop's counter in a register, which the waits are in the middle of: known on the trial, so that
// the clause is not carried out. An atomic counter stays where it is.
// PLAIN-DAG: [[#@LINE+4]]:9: warning: loop left serial
// ATOMIC-DAG: [[#@LINE+3]]:9: remark: loop split into tasks: 8 tasks
uint64_t rows(const uint64_t *r, uint64_t *restrict w, const int *restrict at, int n) {
  uint64_t sum = 0;
#pragma asyncmem num_task(8) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(r);
    uint64_t row = 0;
    for (int k = 0; k < 9; ++k)
      row += r[at[i + k]];
    w[i] += row;
    sum += row;
  }
  return sum;
}
