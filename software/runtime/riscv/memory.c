// SPDX-License-Identifier: Apache-2.0
//
// memcpy, memmove, memset, memcmp and strlen by 8-byte words, for they are byte-wise in the C library. NH-G traps on misaligned accesses,
// so every access is aligned; where two places differ in alignment, aligned words are merged by shifts. No function reads beyond
// the last aligned word that holds a byte it was given. Compiled with -fno-builtin, or the loops become calls of themselves.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) word;
typedef unsigned char byte;

// A turn of a loop takes a line, or as much as fits the caller-saved registers.
enum { WordBytes = 8, TurnBytes = 32, LineBytes = 64, MergeFromBytes = 16 };

#define INLINE static inline __attribute__((always_inline))

static const word EveryByte = 0x0101010101010101, HighBits = 0x8080808080808080;

static unsigned misalignment(const void *place) { return (uintptr_t)place % WordBytes; }

// The word that begins `shift` bits (8 to 56) after the beginning of `low`.
static word merge(word low, word high, unsigned shift) { return low >> shift | high << (64 - shift); }

// Whether there is enough to copy or compare for words to pay; leaves at least one byte after the first place was aligned.
static int by_words(const void *a, const void *b, size_t bytes) {
  return bytes >= (misalignment(a) == misalignment(b) ? WordBytes : MergeFromBytes);
}

INLINE void copy_bytes(byte *to, const byte *from, size_t bytes) {
  for (byte *const end = to + bytes; to != end;)
    *to++ = *from++;
}

INLINE void copy_bytes_down(byte *to_end, const byte *from_end, size_t bytes) {
  for (byte *const begin = to_end - bytes; to_end != begin;)
    *--to_end = *--from_end;
}

INLINE void fill_bytes(byte *to, byte value, size_t bytes) {
  for (byte *const end = to + bytes; to != end;)
    *to++ = value;
}

// From the lowest address on: also right where the places overlap and `to` is below `from`, as a turn loads all its words before it
// stores the first.
INLINE void copy_up(byte *to, const byte *from, size_t bytes) {
  if (by_words(to, from, bytes)) {
    const size_t head = -(uintptr_t)to % WordBytes;
    copy_bytes(to, from, head);
    to += head, from += head, bytes -= head;
    const unsigned skew = misalignment(from), shift = 8 * skew;
    word *out = (word *)to;
    const word *in = (const word *)(from - skew);
    if (skew == 0) {
      for (; bytes >= LineBytes; bytes -= LineBytes, in += 8, out += 8) {
        const word a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];
        out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = g, out[7] = h;
      }
      for (; bytes >= WordBytes; bytes -= WordBytes)
        *out++ = *in++;
    } else {
      word held = *in; // the word `in` is at
      for (; bytes >= TurnBytes; bytes -= TurnBytes, in += 4, out += 4) {
        const word a = in[1], b = in[2], c = in[3], d = in[4];
        out[0] = merge(held, a, shift), out[1] = merge(a, b, shift), out[2] = merge(b, c, shift),
        out[3] = merge(c, d, shift);
        held = d;
      }
      for (; bytes >= WordBytes; bytes -= WordBytes) {
        const word next = *++in;
        *out++ = merge(held, next, shift);
        held = next;
      }
    }
    to = (byte *)out;
    from = (const byte *)in + skew;
  }
  copy_bytes(to, from, bytes);
}

// From the highest address down, for overlapping places with `to` above `from`.
INLINE void copy_down(byte *to, const byte *from, size_t bytes) {
  to += bytes;
  from += bytes;
  if (by_words(to, from, bytes)) {
    const size_t head = misalignment(to);
    copy_bytes_down(to, from, head);
    to -= head, from -= head, bytes -= head;
    const unsigned skew = misalignment(from), shift = 8 * skew;
    word *out = (word *)to;
    const word *in = (const word *)(from - skew);
    if (skew == 0) {
      for (; bytes >= LineBytes; bytes -= LineBytes) {
        in -= 8, out -= 8;
        const word a = in[0], b = in[1], c = in[2], d = in[3], e = in[4], f = in[5], g = in[6], h = in[7];
        out[7] = h, out[6] = g, out[5] = f, out[4] = e, out[3] = d, out[2] = c, out[1] = b, out[0] = a;
      }
      for (; bytes >= WordBytes; bytes -= WordBytes)
        *--out = *--in;
    } else {
      word held = *in;
      for (; bytes >= TurnBytes; bytes -= TurnBytes) {
        in -= 4, out -= 4;
        const word a = in[0], b = in[1], c = in[2], d = in[3];
        out[3] = merge(d, held, shift), out[2] = merge(c, d, shift), out[1] = merge(b, c, shift),
        out[0] = merge(a, b, shift);
        held = a;
      }
      for (; bytes >= WordBytes; bytes -= WordBytes) {
        const word next = *--in;
        *--out = merge(next, held, shift);
        held = next;
      }
    }
    to = (byte *)out;
    from = (const byte *)in + skew;
  }
  copy_bytes_down(to, from, bytes);
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  copy_up(to, from, bytes);
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  if ((uintptr_t)to - (uintptr_t)from >= bytes) // `to` is below, or beyond the end
    copy_up(to, from, bytes);
  else
    copy_down(to, from, bytes);
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  byte *at = to;
  if (bytes >= WordBytes) {
    const size_t head = -(uintptr_t)at % WordBytes;
    fill_bytes(at, (byte)value, head);
    at += head, bytes -= head;
    const word all = (byte)value * EveryByte;
    word *out = (word *)at;
    for (; bytes >= LineBytes; bytes -= LineBytes, out += 8)
      out[0] = all, out[1] = all, out[2] = all, out[3] = all, out[4] = all, out[5] = all, out[6] = all, out[7] = all;
    for (; bytes >= WordBytes; bytes -= WordBytes)
      *out++ = all;
    at = (byte *)out;
  }
  fill_bytes(at, (byte)value, bytes);
  return to;
}

// Number of leading bytes, in whole words, in which the places are known to be equal; `a` is aligned.
INLINE size_t equal_words(const byte *a, const byte *b, size_t bytes) {
  const unsigned skew = misalignment(b), shift = 8 * skew;
  const word *left = (const word *)a, *right = (const word *)(b - skew);
  const word *const first = left;
  if (skew == 0) {
    for (; bytes >= TurnBytes; bytes -= TurnBytes, left += 4, right += 4)
      if ((left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2]) | (left[3] ^ right[3]))
        break;
    for (; bytes >= WordBytes && *left == *right; bytes -= WordBytes)
      left++, right++;
  } else {
    word held = *right;
    for (; bytes >= TurnBytes; bytes -= TurnBytes, left += 4, right += 4) {
      const word p = right[1], q = right[2], r = right[3], s = right[4];
      if ((left[0] ^ merge(held, p, shift)) | (left[1] ^ merge(p, q, shift)) | (left[2] ^ merge(q, r, shift)) |
          (left[3] ^ merge(r, s, shift)))
        break;
      held = s;
    }
    for (; bytes >= WordBytes; bytes -= WordBytes) {
      const word next = *++right;
      if (*left != merge(held, next, shift))
        break;
      held = next;
      left++;
    }
  }
  return (size_t)(left - first) * WordBytes;
}

int memcmp(const void *left, const void *right, size_t bytes) {
  const byte *a = left, *b = right;
  if (by_words(a, b, bytes)) {
    for (; misalignment(a); a++, b++, bytes--)
      if (*a != *b)
        return *a - *b;
    const size_t equal = equal_words(a, b, bytes);
    a += equal, b += equal, bytes -= equal;
  }
  for (; bytes > 0; a++, b++, bytes--)
    if (*a != *b)
      return *a - *b;
  return 0;
}

// Not zero when a byte of the word is zero; the lowest bit set is then that of the first such byte.
static word zero_bytes(word w) { return (w - EveryByte) & ~w & HighBits; }

size_t strlen(const char *text) {
  const unsigned skew = misalignment(text);
  const word *at = (const word *)(text - skew);
  const word before = ((word)1 << 8 * skew) - 1; // bytes of the first word that are not the text's
  if (!zero_bytes(*at | before)) {
    for (at++;; at += 4) {
      if (zero_bytes(at[0]))
        break;
      if (zero_bytes(at[1])) {
        at += 1;
        break;
      }
      if (zero_bytes(at[2])) {
        at += 2;
        break;
      }
      if (zero_bytes(at[3])) {
        at += 3;
        break;
      }
    }
  }
  const char *end = (const char *)at < text ? text : (const char *)at;
  while (*end)
    end++;
  return (size_t)(end - text);
}
