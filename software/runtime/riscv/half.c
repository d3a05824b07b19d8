// SPDX-License-Identifier: Apache-2.0
//
// Conversions of _Float16, which NH-G has no instructions for and libgcc no functions: the compiler calls these. Rounded to nearest, ties to even.

#include <stdint.h>

enum {
  HALF_INFINITY = 0x7c00,
  HALF_NAN = 0x7e00,
};

static _Float16 make_half(uint64_t magnitude, uint64_t sign) {
  uint16_t bits = (uint16_t)(magnitude | sign << 15);
  _Float16 half;
  __builtin_memcpy(&half, &bits, sizeof half);
  return half;
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

double __extendhfdf2(_Float16 half) {
  uint16_t bits;
  __builtin_memcpy(&bits, &half, sizeof bits);
  const uint64_t exponent = bits >> 10 & 31, fraction = bits & 1023, sign = bits >> 15;
  if (exponent == 0)
    return (double)(int64_t)fraction * (sign ? -0x1p-24 : 0x1p-24);
  uint64_t wide = fraction << 42 | sign << 63;
  wide |= exponent == 31 ? 0x7ffull << 52 | (fraction ? 1ull << 51 : 0) : (exponent + 1008) << 52;
  double x;
  __builtin_memcpy(&x, &wide, sizeof x);
  return x;
}

float __extendhfsf2(_Float16 half) { return (float)__extendhfdf2(half); }

_Float16 __truncdfhf2(double x) {
  const uint64_t sign = bits_of(x) >> 63, magnitude = bits_of(x) << 1 >> 1;
  if (x != x)
    return make_half(HALF_NAN | (magnitude >> 42 & 1023), sign);
  if (magnitude >= bits_of(0x1.ffep15)) // half-way behind the largest one
    return make_half(HALF_INFINITY, sign);
  // Subnormal: a sum whose last bit is that of the result rounds it.
  if (magnitude < bits_of(0x1p-14))
    return make_half(bits_of(__builtin_fabs(x) + 0x1p28) - bits_of(0x1p28), sign);
  return make_half((magnitude + (1ull << 41) - 1 + (magnitude >> 42 & 1) - (1008ull << 52)) >> 42, sign);
}

_Float16 __truncsfhf2(float x) { return __truncdfhf2(x); }
