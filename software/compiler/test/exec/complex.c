// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Complex numbers, of which the compiler's runtime multiplies and divides those that are not finite. (Its functions' effects were unknown.)
#include "common.h"
#include <complex.h>

enum { COUNT = 300 };

__attribute__((noinline)) static void multiply(const double complex *a, const uint64_t *k, double complex *to) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    const double complex factor = a[k[i] % COUNT];
    to[i] += factor * a[(k[i] + i) % COUNT];
  }
}

__attribute__((noinline)) static void divide(const float complex *a, const uint64_t *k, float complex *to) {
#pragma asyncmem num_task(8)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(a);
    const float complex quotient = a[i] / a[k[i] % COUNT];
    to[i] = quotient * quotient;
  }
}

// All that are not numbers are one.
static uint64_t class_of(double x) { return x != x ? 1 : x == __builtin_inf() ? 2 : x == -__builtin_inf() ? 3 : (uint64_t)(int64_t)(x * 64) * 4; }

int main(void) {
  double complex *a = remote_alloc(COUNT * sizeof *a), *to = remote_alloc(COUNT * sizeof *to);
  float complex *b = remote_alloc(COUNT * sizeof *b), *quotients = remote_alloc(COUNT * sizeof *quotients);
  static uint64_t k[COUNT], classes[COUNT][4];
  for (uint64_t i = 0; i < COUNT; ++i) {
    k[i] = mix(i);
    const double real = (double)(i % 7), imaginary = (double)(i % 5);
    // Also infinite, and 0 to divide by.
    a[i] = __builtin_complex(i % 11 ? real : __builtin_inf(), i % 13 ? imaginary : -__builtin_inf());
    b[i] = __builtin_complex((float)real, i % 17 ? (float)imaginary : (float)__builtin_inf());
    to[i] = 1;
  }
  multiply(a, k, to);
  divide(b, k, quotients);
  for (uint64_t i = 0; i < COUNT; ++i) {
    classes[i][0] = class_of(creal(to[i]));
    classes[i][1] = class_of(cimag(to[i]));
    classes[i][2] = class_of((double)crealf(quotients[i]));
    classes[i][3] = class_of((double)cimagf(quotients[i]));
  }
  print_digest("classes", classes, sizeof classes);
  return 0;
}
