// SPDX-License-Identifier: Apache-2.0
#include "operands.h"

#include <cmath>
#include <cstring>

namespace {

enum FloatClass {
  kZero,
  kMinSubnormal,
  kSubnormal,
  kMinNormal,
  kSmall,
  kMedium,
  kLarge,
  kMax,
  kInfinite,
  kQuiet,
  kSignalling,
  kBadlyBoxed
};
enum IntegerClass { kIntZero, kIntOne, kIntSmall, kIntPower, kIntBeside, kInt32, kInt64, kInt31Ones, kInt63Ones };

constexpr uint64_t kBox = 0xffffffff00000000;

struct Format {
  unsigned fraction, exponent;
  uint64_t ones() const { return (uint64_t(1) << exponent) - 1; }
  uint64_t bias() const { return ones() >> 1; }
  uint64_t mask() const { return (uint64_t(1) << fraction) - 1; }
};
constexpr Format kSingle{23, 8}, kDouble{52, 11};
const Format &format(bool isDouble) { return isDouble ? kDouble : kSingle; }
constexpr unsigned kEdge = 30; // exponents from either end that are small or large

template <class Float, class Bits> Float asFloat(uint64_t bits) {
  const Bits narrow = Bits(bits);
  Float value;
  memcpy(&value, &narrow, sizeof value);
  return value;
}
template <class Float, class Bits> uint64_t asBits(Float value) {
  Bits bits;
  memcpy(&bits, &value, sizeof bits);
  return sizeof bits == 4 ? kBox | bits : bits;
}

} // namespace

unsigned classes(const Operation &op, bool isDouble) {
  if (op.kind == Sources::Integer)
    return 2 * kIntegerClassCount;
  return 2 * (kFloatClassCount - op.sourceIsDouble(isDouble));
}

const char *className(const Operation &op, unsigned index) {
  return op.kind == Sources::Integer ? kIntegerClasses[index / 2] : kFloatClasses[index / 2];
}

uint64_t Operands::random() { // splitmix64
  uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

// Random, or with few ones or zeros, or at or beside a tie at some bit.
uint64_t Operands::fraction(unsigned bits) {
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  const uint64_t low = (uint64_t(2) << below(bits)) - 1;
  const uint64_t high = chance(128) ? random() & ~low : chance(128) ? ~low : 0;
  const uint64_t half = (low + 1) / 2;
  switch (below(8)) {
  case 0:
    return 0;
  case 1:
    return mask;
  case 2:
    return (high | half) & mask;
  case 3:
    return (high | (half + 1)) & mask;
  case 4:
    return (high | (half - 1)) & mask;
  case 5:
    return (high | low) & mask;
  default:
    return random() & mask;
  }
}

uint64_t Operands::floating(bool isDouble, unsigned index) {
  const Format &f = format(isDouble);
  const uint64_t sign = uint64_t(index & 1) << (f.fraction + f.exponent);
  uint64_t exponent = 0, part = 0;
  switch (index / 2) {
  case kZero:
    break;
  case kMinSubnormal:
    part = 1;
    break;
  case kSubnormal:
    part = fraction(1 + below(f.fraction));
    part += part == 0;
    break;
  case kMinNormal:
    exponent = 1;
    break;
  case kSmall:
    exponent = 1 + below(kEdge);
    part = fraction(f.fraction);
    break;
  case kMedium:
    exponent = f.bias() - 68 + below(137);
    part = fraction(f.fraction);
    break;
  case kLarge:
    exponent = f.ones() - 1 - below(kEdge);
    part = fraction(f.fraction);
    break;
  case kMax:
    exponent = f.ones() - 1;
    part = f.mask();
    break;
  case kInfinite:
    exponent = f.ones();
    break;
  case kQuiet:
    exponent = f.ones();
    part = fraction(f.fraction) | uint64_t(1) << (f.fraction - 1);
    break;
  case kSignalling:
    exponent = f.ones();
    part = fraction(f.fraction) & (f.mask() >> 1);
    part += part == 0;
    break;
  case kBadlyBoxed: {
    const uint64_t single = floating(false, 2 * below(kBadlyBoxed) + (index & 1));
    switch (below(3)) {
    case 0:
      return single & ~(uint64_t(1) << (32 + below(32)));
    case 1:
      return (single & ~kBox) | (random() << 32 & ~(uint64_t(1) << 63));
    default:
      return floating(true, 2 * below(kInfinite) + (index & 1)) & ~(uint64_t(1) << 52);
    }
  }
  }
  return sign | exponent << f.fraction | part | (isDouble ? 0 : kBox);
}

uint64_t Operands::integer(unsigned index) {
  const uint64_t power = uint64_t(1) << below(64);
  uint64_t value = 0;
  switch (index / 2) {
  case kIntZero:
    break;
  case kIntOne:
    value = 1;
    break;
  case kIntSmall:
    value = below(1 << 16);
    break;
  case kIntPower:
    value = power;
    break;
  case kIntBeside:
    value = power + (chance(128) ? 1 : -1);
    break;
  case kInt32:
    value = fraction(31) << 1 | chance(128);
    break;
  case kInt64: // also what only looks like 32 bits to an operation on words
    value = chance(128) ? fraction(63) << 1 | chance(128) : (random() & kBox) | (fraction(31) << 1 | chance(128));
    break;
  case kInt31Ones:
    value = 0x7fffffff;
    break;
  case kInt63Ones:
    value = ~uint64_t(0) >> 1;
    break;
  }
  return index & 1 ? 0 - value : value;
}

uint64_t Operands::ofClass(const Operation &op, bool isDouble, unsigned index) {
  for (;;) {
    const uint64_t source = op.kind == Sources::Integer ? integer(index) : floating(op.sourceIsDouble(isDouble), index);
    if (classOf(op, isDouble, source) == index)
      return source;
  }
}

void Operands::related(Vector &vector) {
  const Operation &op = kOperations[vector.operation];
  const bool isDouble = op.sourceIsDouble(vector.isDouble);
  const Format &f = format(isDouble);
  for (uint64_t &source : vector.source)
    source = op.kind == Sources::Integer ? integer(below(2 * kIntegerClassCount))
                                         : floating(isDouble, below(classes(op, vector.isDouble)));
  if (op.kind == Sources::Integer || chance(64))
    return;
  const uint64_t box = isDouble ? 0 : kBox;
  const auto with = [&](uint64_t exponent) {
    return box | uint64_t(chance(128)) << (f.fraction + f.exponent) | exponent << f.fraction | fraction(f.fraction);
  };
  if (op.sources == 1) {
    if (op.code == 21) // double to single: round about the single's limits, subnormals included
      vector.source[0] = with(f.bias() + (chance(128) ? 120 + below(12) : -155 + int(below(35))));
    else if (op.code >= 24) // integer limits and what is beside them, halves
      vector.source[0] = with(f.bias() - 3 + (chance(128) ? 32 * (1 + below(2)) + below(5) : below(70)));
    else if (op.code == 9 && chance(224)) // roots that exist
      vector.source[0] = with(below(unsigned(f.ones()))) & ~(uint64_t(1) << (f.fraction + f.exponent));
    return;
  }
  // Exponents whose product, quotient or sum is anywhere, results at either end of the range among them.
  const uint64_t exponent = 1 + below(unsigned(f.ones()) - 1);
  const int64_t span = f.fraction + 4;
  const auto inRange = [&](int64_t e) {
    return uint64_t(e < 0 ? 0 : e >= int64_t(f.ones()) ? int64_t(f.ones()) - 1 : e);
  };
  vector.source[0] = with(exponent);
  const bool sum = op.code == 4 || op.code == 5 || op.unit == Unit::misc;
  const int64_t target = chance(96)    ? 0 - span
                         : chance(128) ? int64_t(f.ones()) - span
                                       : int64_t(below(unsigned(f.ones())));
  const int64_t about = target + int64_t(below(unsigned(2 * span)));
  vector.source[1] = with(inRange(sum            ? int64_t(exponent) - span + int64_t(below(unsigned(2 * span)))
                                  : op.code == 8 ? int64_t(exponent) + int64_t(f.bias()) - about
                                                 : about - int64_t(exponent) + int64_t(f.bias())));
  if (sum && chance(96)) // equal or opposite but for some units in the last place
    vector.source[1] = (vector.source[0] ^ uint64_t(chance(128)) << (f.fraction + f.exponent)) + below(5) - 2;
  if (op.sources == 3) {
    const uint64_t product = isDouble ? asBits<double, uint64_t>(asFloat<double, uint64_t>(vector.source[0]) *
                                                                 asFloat<double, uint64_t>(vector.source[1]))
                                      : asBits<float, uint32_t>(asFloat<float, uint32_t>(vector.source[0]) *
                                                                asFloat<float, uint32_t>(vector.source[1]));
    vector.source[2] =
        chance(96)
            ? (product ^ uint64_t(chance(128)) << (f.fraction + f.exponent)) + below(3) - 1
            : with(inRange(int64_t(product >> f.fraction & f.ones()) - 2 * span + int64_t(below(unsigned(4 * span)))));
  }
}

unsigned classOf(const Operation &op, bool isDouble, uint64_t source) {
  if (op.kind == Sources::Integer) {
    const unsigned sign = source >> 63;
    const uint64_t value = sign ? 0 - source : source;
    const auto power = [](uint64_t x) { return x != 0 && (x & (x - 1)) == 0; };
    const unsigned index = value == 0                             ? kIntZero
                           : value == 1                           ? kIntOne
                           : value == 0x7fffffff                  ? kInt31Ones
                           : value == ~uint64_t(0) >> 1           ? kInt63Ones
                           : power(value)                         ? kIntPower
                           : power(value + 1) || power(value - 1) ? kIntBeside
                           : value < 1 << 16                      ? kIntSmall
                           : value >> 32 == 0                     ? kInt32
                                                                  : kInt64;
    return 2 * index + sign;
  }
  const bool sourceIsDouble = op.sourceIsDouble(isDouble);
  const Format &f = format(sourceIsDouble);
  const unsigned sign = source >> (f.fraction + f.exponent) & 1;
  if (!sourceIsDouble && (source & kBox) != kBox)
    return 2 * kBadlyBoxed + sign;
  const uint64_t exponent = source >> f.fraction & f.ones(), part = source & f.mask();
  unsigned index = kMedium;
  if (exponent == 0)
    index = part == 0 ? kZero : part == 1 ? kMinSubnormal : kSubnormal;
  else if (exponent == f.ones())
    index = part == 0 ? kInfinite : part >> (f.fraction - 1) ? kQuiet : kSignalling;
  else if (exponent == 1 && part == 0)
    index = kMinNormal;
  else if (exponent == f.ones() - 1 && part == f.mask())
    index = kMax;
  else if (exponent <= kEdge)
    index = kSmall;
  else if (exponent >= f.ones() - 1 - kEdge)
    index = kLarge;
  return 2 * index + sign;
}
