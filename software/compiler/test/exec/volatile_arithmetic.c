// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Functions of math.h, which the header of NH-G's C library has as volatile assembler.
#include "common.h"

#ifdef __riscv
#include <math.h>
#else
#define sqrt __builtin_elementwise_sqrt
#define sqrtf __builtin_elementwise_sqrt
#define fmin(x, y) ((x) < (y) ? (x) : (y))
#define fmax(x, y) ((x) > (y) ? (x) : (y))
#define fma(x, y, z) ((x) * (y) + (z))
#endif

enum { COUNT = 300 };

struct point {
  double x, y, z;
  float weight;
};

__attribute__((noinline)) static double distances(const struct point *p, const uint32_t *near, double *to) {
  double longest = 0;
#pragma asyncmem num_task(8) reduction(max : longest)
  for (uint64_t i = 0; i < COUNT; ++i) {
    __builtin_is_remote(p);
    const struct point *a = &p[i], *b = &p[near[i]];
    double square = fma(a->x - b->x, a->x - b->x, (a->y - b->y) * (a->y - b->y)), limit = 1e9;
    for (uint64_t j = 0; j < i % 3; ++j)
      limit = fmin(limit, fmax(p[near[j]].z, 40.0));
    to[i] = sqrt(square) + sqrtf(b->weight) + limit;
    longest = to[i] > longest ? to[i] : longest;
  }
  return longest;
}

int main(void) {
  struct point *p = remote_alloc(COUNT * sizeof *p);
  static double to[COUNT];
  static uint32_t near[COUNT];
  for (uint32_t i = 0; i < COUNT; ++i) {
    p[i] = (struct point){i * 37 % COUNT, i * 91 % COUNT, i * 53 % COUNT, (float)(i % 19)};
    near[i] = i * 149 % COUNT;
  }
  const double longest = distances(p, near, to);
  print_digest("to", to, sizeof to);
  print_digest("longest", &longest, sizeof longest);
  return 0;
}
