// SPDX-License-Identifier: Apache-2.0
// Exceptions, static variables, and a loop with a copy that is refused and one that is not.
// RUN: %same_as_off %s %t
#include "refused.h"

extern "C" {
void may_throw(uint64_t value);

uint64_t throwing(uint64_t *a, int n) {
  OUTSIDE
  // REFUSED: it calls 'may_throw', which may throw; define it in this file, noexcept
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    may_throw(a[i]);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}
}

uint64_t throwing_in_update(uint64_t *__restrict a, const uint64_t *__restrict b, uint64_t **__restrict to, int n) {
  OUTSIDE
  // REFUSED: operator new may throw in it, and other iterations would never release their locks; use new (std::nothrow)
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    __builtin_is_remote(b);
    uint64_t at = b[i];
    to[i] = new uint64_t(at);
    a[at] += b[a[at]];
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t throwing_beside_lock(const uint64_t *__restrict a, uint64_t *__restrict word, uint64_t **__restrict to, int n) {
  OUTSIDE
  // REFUSED: operator new may throw in it, and other iterations would never release their locks; use new (std::nothrow)
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    to[i] = new uint64_t(a[i]);
    asyncmem_lock(word);
    word[1] += a[*to[i]];
    asyncmem_unlock(word);
    INSIDE((uint64_t)i)
  }
  return RESULT;
}

uint64_t next_number() noexcept;

uint64_t static_variable(const uint64_t *a, uint64_t *__restrict out, int n) {
  OUTSIDE
  // REFUSED: it calls '__cxa_guard_acquire', which initializes a static variable; define that before the loop
#pragma asyncmem num_task(4) CLAUSES
  for (int i = 0; i < n; ++i) {
    __builtin_is_remote(a);
    static const uint64_t once = next_number();
    out[i] = a[i] * once;
    INSIDE((uint64_t)i)
  }
  return RESULT;
}
