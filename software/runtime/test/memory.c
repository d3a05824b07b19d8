// SPDX-License-Identifier: Apache-2.0
//
// memcpy, memmove, memset, memcmp and strlen of NH-G at every alignment and length to 300, against loops over bytes. What a function
// reads ends in the last word of far memory, so that reading further traps; around what it writes are bytes that must stay.
// With FEW_LENGTHS only some lengths (RTL). Compile with -fno-builtin. Exit 0, or 1 after a line that names the case.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

typedef unsigned char byte;

enum { WordBytes = 8, LongestBytes = 300, MarginBytes = 16, Untouched = 0xa5, OverlapBytes = 17 };

#ifdef FEW_LENGTHS
static const unsigned lengths[] = {0, 1, 8, 15, 16, 23, 40, 71, 72};
static const int distances[] = {-64, -8, -1, 1, 8, 13};
#define LENGTHS (sizeof lengths / sizeof *lengths)
#define DISTANCES (sizeof distances / sizeof *distances)
#define LENGTH(i) lengths[i]
#define DISTANCE(i) distances[i]
#else
#define LENGTHS (LongestBytes + 1)
#define DISTANCES (2 * OverlapBytes + 7)
#define LENGTH(i) (i)
#define DISTANCE(i)                                                                                                    \
  ((i) <= 2 * OverlapBytes ? (int)(i) - OverlapBytes : ((int[]){-65, -64, -63, 63, 64, 65})[(i) - 2 * OverlapBytes - 1])
#endif

static byte *const memory_end = (byte *)(NHG_FAR_BASE + NHG_FAR_SIZE);
// A patterned place, moved by at most 65 bytes, and its margins.
static byte place[LongestBytes + 2 * MarginBytes + WordBytes + 65] __attribute__((aligned(64)));

static byte pattern(unsigned i) { return (byte)(i * 31 + (i >> 3) + 7); }

// Ends the program unless two values are the same.
static void expect(const char *function, unsigned a, unsigned b, unsigned bytes, long got, long wanted) {
  if (got == wanted)
    return;
  printf("%s, places at %u and %u, %u bytes: %ld instead of %ld\n", function, a, b, bytes, got, wanted);
  exit(1);
}

// `bytes` bytes at this alignment, of which the last is in the last word of memory.
static byte *at_the_end(unsigned alignment, unsigned bytes) {
  const unsigned words = (alignment + bytes + WordBytes - 1) / WordBytes;
  return memory_end - words * WordBytes + alignment;
}

static byte *patterned_at_the_end(unsigned alignment, unsigned bytes) {
  byte *from = at_the_end(alignment, bytes);
  for (unsigned i = 0; i < bytes; i++)
    from[i] = pattern(i);
  return from;
}

// Room for `bytes` bytes at this alignment, and margins that hold Untouched.
static byte *fresh_place(unsigned alignment, unsigned bytes) {
  byte *to = place + MarginBytes + alignment;
  for (byte *at = to - MarginBytes; at < to + bytes + MarginBytes; at++)
    *at = Untouched;
  return to;
}

// The result of a function that wrote `bytes` bytes to `to`: those of wanted(i), and nothing around them.
static void expect_written(const char *function, const byte *to, unsigned from, unsigned bytes,
                           byte (*wanted)(unsigned)) {
  const unsigned alignment = (unsigned)(to - place) % WordBytes;
  for (unsigned i = 0; i < bytes; i++)
    expect(function, alignment, from, bytes, to[i], wanted(i));
  for (unsigned i = 1; i <= MarginBytes; i++) {
    expect(function, alignment, from, bytes, to[-(int)i], Untouched);
    expect(function, alignment, from, bytes, to[bytes + i - 1], Untouched);
  }
}

static void check_copies(void) {
  for (unsigned to_at = 0; to_at < WordBytes; to_at++)
    for (unsigned from_at = 0; from_at < WordBytes; from_at++)
      for (unsigned i = 0; i < LENGTHS; i++) {
        const unsigned bytes = LENGTH(i);
        const byte *from = patterned_at_the_end(from_at, bytes);
        byte *to = fresh_place(to_at, bytes);
        expect("memcpy", to_at, from_at, bytes, (byte *)memcpy(to, from, bytes) - to, 0);
        expect_written("memcpy", to, from_at, bytes, pattern);
        to = fresh_place(to_at, bytes);
        expect("memmove", to_at, from_at, bytes, (byte *)memmove(to, from, bytes) - to, 0);
        expect_written("memmove", to, from_at, bytes, pattern);
      }
}

// memmove within one place; with a negative distance it may read up to the end of memory.
static void check_overlap(void) {
  for (unsigned at = 0; at < WordBytes; at++)
    for (unsigned d = 0; d < DISTANCES; d++)
      for (unsigned i = 0; i < LENGTHS; i++) {
        const unsigned bytes = LENGTH(i);
        const int distance = DISTANCE(d);
        byte *from = distance < 0 ? at_the_end(at, bytes) : fresh_place(at, 0);
        byte *to = from + distance, *low = distance < 0 ? to : from, *high = distance < 0 ? from : to;
        const byte *const end = high + bytes;
        for (byte *other = low; other < end; other++)
          *other = Untouched;
        for (unsigned k = 0; k < bytes; k++)
          from[k] = pattern(k);
        memmove(to, from, bytes);
        for (unsigned k = 0; k < bytes; k++)
          expect("overlapping memmove", at, (unsigned)distance, bytes, to[k], pattern(k));
        for (const byte *other = low; other < end; other++)
          if ((other < to || other >= to + bytes) && other >= from && other < from + bytes)
            expect("rest of memmove", at, (unsigned)distance, bytes, *other, pattern((unsigned)(other - from)));
      }
}

static byte zero(unsigned i) { return (void)i, 0; }
static byte high(unsigned i) { return (void)i, 0xf3; }

static void check_fill(void) {
  for (unsigned at = 0; at < WordBytes; at++)
    for (unsigned i = 0; i < LENGTHS; i++) {
      const unsigned bytes = LENGTH(i);
      byte *to = fresh_place(at, bytes);
      expect("memset", at, 0, bytes, (byte *)memset(to, 0, bytes) - to, 0);
      expect_written("memset", to, 0, bytes, zero);
      memset(fresh_place(at, bytes), 0x5f3, bytes);
      expect_written("memset", to, 0, bytes, high);
    }
}

static int sign(int value) { return (value > 0) - (value < 0); }

// Both orders of the operands, so that each is the one at the end of memory; the bytes after the other one differ from it.
static void expect_comparison(const byte *a, const byte *b, unsigned a_at, unsigned b_at, unsigned bytes, int wanted) {
  expect("memcmp", a_at, b_at, bytes, sign(memcmp(a, b, bytes)), wanted);
  expect("memcmp", b_at, a_at, bytes, sign(memcmp(b, a, bytes)), -wanted);
}

static void check_comparisons(void) {
  for (unsigned a_at = 0; a_at < WordBytes; a_at++)
    for (unsigned b_at = 0; b_at < WordBytes; b_at++)
      for (unsigned i = 0; i < LENGTHS; i++) {
        const unsigned bytes = LENGTH(i);
        byte *a = patterned_at_the_end(a_at, bytes), *b = fresh_place(b_at, bytes);
        for (unsigned k = 0; k < bytes; k++)
          b[k] = pattern(k);
        expect_comparison(a, b, a_at, b_at, bytes, 0);
        const unsigned positions[] = {0, 1, 6, 7, 8, 9, bytes / 2, bytes - 9, bytes - 2, bytes - 1};
        for (unsigned p = 0; p < sizeof positions / sizeof *positions; p++) {
          const unsigned k = positions[p];
          if (k >= bytes)
            continue;
          const byte was = b[k];
          b[k] = (byte)(was ^ 0x81); // differs in sign, too
          if (k + 1 < bytes)
            b[k + 1] ^= 0xff; // what follows the first difference does not count
          expect_comparison(a, b, a_at, b_at, bytes, was < b[k] ? -1 : 1);
          if (k + 1 < bytes)
            b[k + 1] ^= 0xff;
          b[k] = was;
        }
      }
}

static void check_lengths(void) {
  static const byte characters[] = {0x01, 0x80, 0xff};
  for (unsigned at = 0; at < WordBytes; at++)
    for (unsigned i = 0; i < LENGTHS; i++)
      for (unsigned c = 0; c < sizeof characters; c++) {
        const unsigned bytes = LENGTH(i);
        byte *text = at_the_end(at, bytes + 1);
        for (byte *other = text - at; other < memory_end; other++)
          *other = 0;
        for (unsigned k = 0; k < bytes; k++)
          text[k] = characters[(c + k * (k % 3 == 2)) % sizeof characters];
        expect("strlen", at, c, bytes, (long)strlen((const char *)text), bytes);
      }
}

int main(void) {
  check_copies();
  check_overlap();
  check_fill();
  check_comparisons();
  check_lengths();
  puts("every case is right");
}
