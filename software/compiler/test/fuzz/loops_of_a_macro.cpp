// SPDX-License-Identifier: Apache-2.0
// All loops of a macro start in one place of the source. Where the marked one does not repeat, tasks ran the next one, of which nothing was promised.
// RUN: %fuzz_check %s --out %t
#include "harness.h"

#define BESIDE                                                                                                         \
  _Pragma("asyncmem num_task(32)") do {                                                                                \
    o8[n] += r8[n];                                                                                                    \
  }                                                                                                                    \
  while (0)                                                                                                            \
    ;                                                                                                                  \
  for (uint64_t i = 0; i < n; ++i) {                                                                                   \
    __builtin_is_remote(r8);                                                                                           \
    o8[i + 1] = o8[r8[i] % (i + 1)] * 3 + r8[i + 1];                                                                   \
  }

#define AROUND                                                                                                         \
  _Pragma("asyncmem num_task(32)") for (;;) {                                                                          \
    for (uint64_t i = 0; i < n; ++i) {                                                                                 \
      __builtin_is_remote(r8);                                                                                         \
      o8[i + 1] = o8[r8[i] % (i + 1)] * 3 + r8[i + 1];                                                                 \
    }                                                                                                                  \
    break;                                                                                                             \
  }

// All repeat, but the one around them that macros have.
#define ALL_REPEAT                                                                                                     \
  do {                                                                                                                 \
    _Pragma("asyncmem num_task(32)") for (uint64_t i = 0; i < n; ++i) {                                                \
      __builtin_is_remote(r8);                                                                                         \
      for (uint64_t j = 0; j < r8[i] % 4; ++j)                                                                         \
        o8[i] += r8[r8[i] % 1024] + j;                                                                                 \
    }                                                                                                                  \
    for (uint64_t i = 1; i < n; ++i)                                                                                   \
      o8[i] += o8[i - 1];                                                                                              \
  } while (0)

uint64_t beside(env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
  n %= 900;
  BESIDE
  return 0;
}

uint64_t around(env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
  n %= 900;
  AROUND
  return 0;
}

uint64_t all_repeat(env *e, uint64_t n) {
  uint64_t *r8 = e->r8, *o8 = e->o8;
  auto run = [&] { ALL_REPEAT; };
  run();
  ALL_REPEAT;
  return 0;
}

extern "C" const entry fuzz_entries[] = {
    {"beside", beside, {40, 17, 850}}, {"around", around, {40, 17, 850}}, {"all_repeat", all_repeat, {40, 17, 1000}}};
extern "C" const unsigned fuzz_entry_count = 3;
