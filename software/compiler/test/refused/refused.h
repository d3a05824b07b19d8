// SPDX-License-Identifier: Apache-2.0
// Variables for every clause, used by each refused loop: the last values show
// whether a clause changed it.
#ifndef REFUSED_H
#define REFUSED_H

#include "asyncmem.h"
#include <stddef.h>
#include <stdint.h>

#define OUTSIDE uint64_t p = 3, f = 4, l = 5, k = 6, s = 7, x = 8;
#define INSIDE(v)                                                              \
  p = (v)*3;                                                                   \
  f += p;                                                                      \
  l = f ^ p;                                                                   \
  if ((v)&1)                                                                   \
    k = l;                                                                     \
  s += l;                                                                      \
  x += k;
#define RESULT (p + f * 3 + l * 5 + k * 7 + s * 11 + x * 13)

#endif
