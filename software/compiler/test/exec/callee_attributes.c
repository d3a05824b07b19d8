// SPDX-License-Identifier: Apache-2.0
// Callees that are compiled with exact floating point become part of a function that is not: what that may do to its own code it must not do to theirs.
// RUN: mkdir -p %t
// RUN: %clang -O2 -ffast-math %includes -Wno-unknown-pragmas %s %runtime -o %t/plain
// RUN: %t/plain > %t/expected
// RUN: %clang -O2 -ffast-math %plugin %sched=static -fplugin-arg-asyncmem-adapt=off -Werror=pass-failed %s %runtime -o %t/tasks
// RUN: %t/tasks > %t/printed
// RUN: diff %t/expected %t/printed
// RUN: %clang -O2 -ffast-math %plugin %sched=static -Werror=pass-failed %s %runtime -o %t/chosen
// RUN: %t/chosen > %t/printed
// RUN: diff %t/expected %t/printed
#include "common.h"

enum { COUNT = 64 };

static double third[COUNT], nested[COUNT];

#pragma float_control(precise, on)
__attribute__((noinline)) static void divide(double *out, const uint64_t *r, uint64_t i) {
  out[i] = (double)(r[i * 37 & 1023] & 0xffffff) / 3.0;
}

__attribute__((noinline)) static double divide_all(const uint64_t *r, uint64_t i, int depth) {
  if (!depth)
    return 0;
  const double rest = divide_all(r, r[i & 1023], depth - 1);
  return (rest + (double)(r[i * 5 & 1023] & 0xffffff)) / 3.0;
}

#pragma float_control(precise, off)
__attribute__((noinline)) static void divides(const uint64_t *r) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(r);
    divide(third, r, i);
  }
}

__attribute__((noinline)) static void nests(const uint64_t *r) {
#pragma asyncmem num_task(16)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(r);
    nested[i] = divide_all(r, i, (int)i % 5);
  }
}

int main(void) {
  const uint64_t *r = remote_words(1024);
  divides(r);
  print_digest("third", third, sizeof third);
  nests(r);
  print_digest("nested", nested, sizeof nested);
  return 0;
}
