// SPDX-License-Identifier: Apache-2.0
// A callee of effects.cpp in a file of its own.
uint64_t *row_make(uint64_t words);
static inline uint64_t *row_alloc(uint64_t words) { return row_make(words); }
