// SPDX-License-Identifier: Apache-2.0
// Loops that cannot be found by their places in the source.
// RUN: %same_as_off %s %t
#include "refused.h"

// The marked loop of the macro never repeats, and another one behind or in it does.
#define REFUSED_LOOP(name, attributes, first, last)                                                                    \
  attributes uint64_t name(uint64_t *a, const uint64_t *b, int n) {                                                    \
    OUTSIDE                                                                                                            \
    _Pragma("asyncmem num_task(4) CLAUSES")                                                                                                              \
    first {                                                                                                            \
      __builtin_is_remote(b);                                                                                          \
      a[b[n]] = b[n] + 1;                                                                                              \
      INSIDE((uint64_t)n)                                                                                              \
    }                                                                                                                  \
    last;                                                                                                              \
    return RESULT;                                                                                                     \
  }

// REFUSED: other loops start in the same place, and not all of them repeat; write it outside of the macro, in a line of its own
REFUSED_LOOP(beside, , do, while (0); for (int i = 0; i < n; ++i) a[i + 1] = a[i] + b[i])

// REFUSED: other loops start in the same place, and not all of them repeat; write it outside of the macro, in a line of its own
REFUSED_LOOP(around, , for (;;) { for (int i = 0; i < n; ++i) a[i + 1] = a[i] + b[i];, break; })

// REFUSED: where it is in the source is not known; take the attribute nodebug of its function away
REFUSED_LOOP(without, __attribute__((nodebug)), while (n--), )
