// SPDX-License-Identifier: Apache-2.0
// RUN: %same_results %s %t
// Commutative updates under conditions, in the forms the optimizer gives them:
// minimum and maximum, either operand order, "and" with a truth value.
#include "common.h"

enum { WORDS = 1 << 12, COUNT = 700 };

struct outcome {
  uint64_t umin, umax, all, any, sum;
  int64_t smin, smax;
};

__attribute__((noinline)) static struct outcome scan(const uint64_t *a,
                                                     uint64_t *out, int n) {
  struct outcome o = {~0ul, 3, ~0ul, 0, 1, 9, -9};
#pragma asyncmem num_task(16)
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(out);
    uint64_t v = a[i * 2];
    int64_t s = (int64_t)v;
    if (v & 1) {
      o.umin = v < o.umin ? v : o.umin;
      o.smax = s > o.smax ? s : o.smax;
    }
    if (v & 2)
      o.umax = v > o.umax ? v : o.umax;
    else
      o.smin = s < o.smin ? s : o.smin;
    o.all &= v % 1000 != 77777;
    o.any |= v % 1000 == 7;
    if (v % 3 == 1)
      o.sum = v + o.sum;
    out[i] = v;
  }
  return o;
}

int main(void) {
  uint64_t *a = remote_words(WORDS), *out = remote_words(COUNT);
  struct outcome o = scan(a, out, COUNT);
  print_digest("outcome", &o, sizeof o);
  o = scan(a, out, 0);
  print_digest("nothing", &o, sizeof o);
  print_digest("out", out, COUNT * sizeof *out);
  return 0;
}
