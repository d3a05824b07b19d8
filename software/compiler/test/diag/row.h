// SPDX-License-Identifier: Apache-2.0
// A callee of effects.cpp in a file of its own.
static inline uint64_t *row_alloc(uint64_t words) {
  return new uint64_t[words];
}
