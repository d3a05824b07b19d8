// SPDX-License-Identifier: Apache-2.0
// Stateless 64-bit mixing function: operation number to pseudo-random value. One multiplication and two shift-xors are enough to
// make table indices unpredictable; the final multiplication moves entropy into the high bits, which callers use.
#pragma once
#include <stdint.h>

static inline uint64_t mix64(uint64_t x) {
  x = (x + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  return x * 0xbf58476d1ce4e5b9u;
}
