// SPDX-License-Identifier: Apache-2.0
// What generated loops work on. Every loop gets fresh data; after it every byte
// a loop can write goes into the digest. Sizes are in elements; `x & (X - 1)`
// is a valid index where X is a power of two.
#ifndef FUZZ_HARNESS_H
#define FUZZ_HARNESS_H

#include "asyncmem.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

enum {
  READ_COUNT = 1024, // read-only arrays
  NODE_COUNT = 256,  // list nodes, at most four to a list
  TABLE_COUNT = 256,
  OWN_COUNT = 2048, // arrays where an iteration writes its own elements
  HASH_COUNT = 64,  // updated by one commutative operation
  MAX_TRIPS = 1000  // iterations of one loop
};

struct node {
  struct node *next;
  uint64_t key;
  uint32_t count;
  uint16_t tag;
  uint8_t flag;
};

struct cell {
  uint64_t x;
  uint32_t y;
  uint16_t z;
  uint8_t t[2];
};

// Fields that no request of the AMU reads as a whole: 16 bytes, or misaligned.
// No padding, whose copies the language leaves open.
struct row {
  unsigned __int128 wide;
  struct __attribute__((packed)) {
    uint8_t kind;
    uint32_t size;
    uint64_t where;
  } p;
  uint8_t name[19];
};

struct env {
  // Read-only.
  uint64_t *r8;
  uint32_t *r4;
  uint16_t *r2;
  uint8_t *r1;
  int32_t *s4;
  double *rd;
  struct node *nodes;
  struct row *table;
  uint64_t *l8;
  uint32_t *permutation; // of 0 ... READ_COUNT - 1
  // Written.
  uint64_t *w8;
  uint32_t *w4;
  uint16_t *w2;
  uint8_t *w1;
  struct cell *cells;
  struct row *rows;
  uint64_t *o8;
  uint32_t *o4;
  uint64_t *hash;
  uint64_t *atoms;
  uint64_t *global;
  uint64_t *packed;
};

typedef uint64_t (*loop_function)(struct env *e, uint64_t n);

enum { RUNS = 3 };
struct entry {
  const char *name;
  loop_function run;
  unsigned trips[RUNS];
  unsigned longest; // of any run
};

#ifdef __cplusplus
extern "C" {
#endif

// The generated file defines these two.
extern const struct entry fuzz_entries[];
extern const unsigned fuzz_entry_count;

// Effects the compiler cannot see; the order of calls shows in the digest.
void fuzz_effect(uint64_t value);
extern void (*fuzz_pointer)(uint64_t value);
void fuzz_keep(const uint64_t *words);
extern volatile uint64_t fuzz_volatile;
extern uint64_t fuzz_global;
// Like setjmp to the compiler; returns once.
void fuzz_returns_twice(void) __attribute__((returns_twice));
uint64_t fuzz_convergent(uint64_t value) __attribute__((convergent, nothrow));
// Declared pure, defined elsewhere.
uint64_t fuzz_pure(uint64_t value) __attribute__((const, nothrow));

#ifdef __cplusplus
}

template <typename T> struct fuzz_range {
  T *first;
  size_t count;
  T *begin() const { return first; }
  T *end() const { return first + count; }
};
#endif

// Callees: inlined, not inlined, writing, recursive.
static inline uint64_t fuzz_at(const uint64_t *r8, uint64_t x) {
  return r8[x & (READ_COUNT - 1)];
}
__attribute__((noinline, unused)) static uint64_t fuzz_twice(const uint64_t *r8,
                                                             uint64_t x) {
  return r8[r8[x & (READ_COUNT - 1)] & (READ_COUNT - 1)];
}
__attribute__((noinline, unused)) static void fuzz_put(uint64_t *place,
                                                       uint64_t x) {
  *place = *place * 5 + x;
}
__attribute__((noinline, unused)) static uint64_t
fuzz_list_sum(const struct node *n) {
  return n == NULL ? 1 : fuzz_list_sum(n->next) * 3 + n->key;
}

// Recursive callees that no task can run level by level.
__attribute__((noinline, unused)) static uint64_t fuzz_variadic(uint64_t *place,
                                                                ...) {
  va_list arguments;
  va_start(arguments, place);
  uint64_t depth = va_arg(arguments, uint64_t);
  va_end(arguments);
  *place = *place * 3 + depth;
  return depth ? fuzz_variadic(place, depth - 1) ^
                     fuzz_variadic(place, depth / 2) * 5
               : 1;
}
__attribute__((noinline, unused)) static uint64_t fuzz_sized(uint64_t *place,
                                                             uint64_t depth) {
  uint64_t words[depth + 1];
  words[depth] = *place = *place * 5 + depth;
  words[0] = depth ? fuzz_sized(place, depth - 1) : 1;
  return words[depth / 2] + (depth ? fuzz_sized(place, depth / 2) : 0);
}

static inline uint64_t fuzz_mix(uint64_t x) {
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9u;
  return x ^ (x >> 32);
}

// Once inlined its pointers are apart in one call only.
static inline uint64_t fuzz_step(uint64_t *__restrict to,
                                 const uint64_t *__restrict from) {
  return *to = *from * 3 + 1;
}

// Values that live in memory, of places that the compiler cannot know.
struct words {
  uint64_t words[8];
};
static inline struct words fuzz_make(uint64_t x) {
  struct words made;
  for (unsigned i = 0; i < 8; ++i)
    made.words[(i + x) & 7] = x >> i;
  return made;
}
static inline uint64_t fuzz_pick(struct words from, uint64_t x) {
  return from.words[x & 7];
}

#endif
