// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

// Where the object of a number lies among 2^log2_count: each step is invertible, so that every place is used once.
static inline uint64_t place(uint64_t number, unsigned log2_count) {
  const uint64_t mask = (1ul << log2_count) - 1;
  number = number * 0x9e3779b97f4a7c15u & mask;
  number ^= number >> log2_count / 2;
  number = number * 0xbf58476d1ce4e5b9u & mask;
  return number ^ number >> log2_count / 2;
}
