// SPDX-License-Identifier: Apache-2.0
// In C Clang does not say where a variable behind a label comes to life, so what a call returns cannot be told from what lives on: the loop is refused.
// RUN: %fuzz_check %s --out %t
// RUN: %clang %plugin -I%compiler/fuzz -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
#include "harness.h"

uint64_t beside_label(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
again:;
  uint64_t more = 3;
// CHECK: variable_of_unknown_life.c:[[#@LINE+1]]:9: warning: loop left serial: which of its variables live on to the next iteration is not known
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    const uint64_t v = r8[i];
    o8[i] = fuzz_make(v).words[r8[v & 1023] & 7] + more;
  }
  if (o8[0] == 12345)
    goto again;
  return 0;
}

const struct entry fuzz_entries[] = {{"beside_label", beside_label, {40, 17, 1000}}};
const unsigned fuzz_entry_count = 1;
