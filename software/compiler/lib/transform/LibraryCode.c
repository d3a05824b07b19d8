// SPDX-License-Identifier: Apache-2.0
// What the functions of string.h do, as loops whose accesses can be requests.
//
// This is code of the compiled program: the plugin carries it as bitcode (LibraryCalls.cpp) and puts it in for calls in marked loops. Each loop reads a
// place once and tests at its end, so a request brings a line of it (RowRequests.cpp). Nothing behind a string's end, or behind what memchr finds, is read.
// Aligned words are read with what they have around a block, if that fills one: the optimizer takes what is larger than an object for an access of another.

#include <stddef.h>
#include <stdint.h>

typedef unsigned char byte;

enum { WORD_BYTES = 8, LINE_BYTES = 64, MOST_LINES = 8 };

static uintptr_t in_word(uintptr_t address) { return address % WORD_BYTES; }

static inline int compare(const byte *p, const byte *q, size_t n, int texts) {
  if (!n)
    return 0;
  byte x, y;
  size_t at = 0;
  do {
    x = p[at];
    y = q[at];
  } while (x == y && (x || !texts) && ++at != n);
  return x - y;
}

int __asyncmem_memcmp_bytes(const byte *p, const byte *q, size_t n) {
  return compare(p, q, n, 0);
}

int __asyncmem_memcmp(const byte *p, const byte *q, size_t n) {
  if (n < WORD_BYTES || in_word((uintptr_t)p ^ (uintptr_t)q))
    return __asyncmem_memcmp_bytes(p, q, n);
  // Of the two equal ones the other's, which no remote data decides about.
  const size_t before = in_word((uintptr_t)q), end = n + before;
  p -= before;
  q -= before;
  uint64_t wanted = ~UINT64_C(0) << 8 * before, x, y, differ;
  size_t at = 0;
  do {
    x = *(const uint64_t *)(p + at);
    y = *(const uint64_t *)(q + at);
    at += WORD_BYTES;
    if (at > end)
      wanted &= ~UINT64_C(0) >> 8 * (at - end);
    differ = (x ^ y) & wanted;
    wanted = ~UINT64_C(0);
  } while (!differ && at < end);
  if (!differ)
    return 0;
  const unsigned first = __builtin_ctzll(differ) & ~7u;
  return (int)(x >> first & 255) - (int)(y >> first & 255);
}

void __asyncmem_memcpy_bytes(byte *to, const byte *from, size_t n) {
  if (!n)
    return;
  size_t at = 0;
  do
    to[at] = from[at];
  while (++at != n);
}

void __asyncmem_memcpy(byte *to, const byte *from, size_t n) {
  size_t at = 0;
  if (!in_word((uintptr_t)to | (uintptr_t)from) && n >= WORD_BYTES) {
    do {
      *(uint64_t *)(to + at) = *(const uint64_t *)(from + at);
      at += WORD_BYTES;
    } while (at <= n - WORD_BYTES);
  }
  __asyncmem_memcpy_bytes(to + at, from + at, n - at);
}

void *__asyncmem_memchr(const byte *p, int wanted, size_t n) {
  if (!n)
    return NULL;
  size_t at = 0;
  byte x;
  do
    x = p[at];
  while (x != (byte)wanted && ++at != n);
  return x == (byte)wanted ? (void *)(p + at) : NULL;
}

size_t __asyncmem_strlen(const byte *p) {
  size_t at = 0;
  while (p[at++])
    ;
  return at - 1;
}

int __asyncmem_strncmp(const byte *p, const byte *q, size_t n) {
  return compare(p, q, n, 1);
}

int __asyncmem_strcmp(const byte *p, const byte *q) {
  return compare(p, q, SIZE_MAX, 1);
}

// Reads something of the first lines of a block, and of its last one. A block inside one line is read at its first byte only, next to which the program has
// often read before: then no task waits. Longer ones are read at other bytes, so that the two ways have no access in common.
uint64_t __asyncmem_touch(const byte *p, size_t n) {
  if (!n)
    return 0;
  const size_t rest = LINE_BYTES - (uintptr_t)p % LINE_BYTES;
  if (n <= rest)
    return p[0];
  byte some = 0;
  for (size_t at = rest; at + LINE_BYTES < n && at < MOST_LINES * LINE_BYTES;
       at += LINE_BYTES)
    some += p[at];
  return some + p[rest - 1] + p[n - 1];
}
