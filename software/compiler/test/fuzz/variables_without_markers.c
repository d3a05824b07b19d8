// SPDX-License-Identifier: Apache-2.0
// Variables of an iteration for which Clang writes no lifetime markers: what a call returns or is given, and what a jump passes the declaration of. All
// tasks had one place for them.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

uint64_t returned(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    o8[i] = fuzz_make(v).words[r8[v & 1023] & 7];
  }
  return 0;
}

uint64_t given(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    o8[i] = fuzz_pick(fuzz_make(v), r8[v & 1023]);
  }
  return 0;
}

uint64_t passed(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    if (v & 1)
      goto next;
    uint64_t words[8];
    for (int j = 0; j < 8; ++j)
      words[(j + v) & 7] = v >> j;
    o8[i] = words[r8[v & 1023] & 7];
  next:;
  }
  return 0;
}

uint64_t in_switch(struct env *e, uint64_t n) {
  uint64_t *restrict r8 = e->r8, *restrict o8 = e->o8;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    uint64_t v = r8[i];
    switch (v & 1) {
      uint64_t words[8];
    case 0:
      for (int j = 0; j < 8; ++j)
        words[(j + v) & 7] = v >> j;
      o8[i] = words[r8[v & 1023] & 7];
    }
  }
  return 0;
}

// A jump passes its declaration, too, but iterations hand it on, in order: its life does not start in them.
uint64_t outside(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
  if (n == 12345)
    goto loop;
  uint64_t words[8];
loop:;
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    if (i == 0)
      for (int j = 0; j < 8; ++j)
        words[j] = j;
    uint64_t last = words[i & 7];
    words[last & 7] += 3;
    o8[i] = r8[i] + last;
  }
  return 0;
}

// Behind a label of its block Clang marks no variable, either.
uint64_t behind_label(struct env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
again:;
  uint64_t words[8];
#pragma asyncmem num_task(32)
  for (uint64_t i = 0; i < n; ++i) {
    __builtin_is_remote(r8);
    if (i == 0)
      for (int j = 0; j < 8; ++j)
        words[j] = j;
    uint64_t last = words[i & 7];
    words[last & 7] += 3;
    o8[i] = r8[i] + last;
  }
  if (o8[0] == 12345)
    goto again;
  return 0;
}

const struct entry fuzz_entries[] = {
    {"returned", returned, {40, 17, 1000}},   {"given", given, {40, 17, 1000}},     {"passed", passed, {40, 17, 1000}},
    {"in_switch", in_switch, {40, 17, 1000}}, {"outside", outside, {40, 17, 1000}},
    {"behind_label", behind_label, {40, 17, 1000}},
};
const unsigned fuzz_entry_count = 6;
