// SPDX-License-Identifier: Apache-2.0
//
// Operands by class, and random ones that gather where results change: boundary exponents, ties, cancellation, integer limits.
#ifndef FPU_OPERANDS_H
#define FPU_OPERANDS_H

#include "operations.h"

// Classes of floating-point operands, each with both signs; a double has none that is badly boxed.
inline constexpr const char *kFloatClasses[] = {"zero",     "min-subnormal", "subnormal",      "min-normal",
                                                "small",    "medium",        "large",          "max",
                                                "infinite", "quiet-nan",     "signalling-nan", "badly-boxed"};
inline constexpr unsigned kFloatClassCount = 12;
// Classes of integer operands, each as it is and negated.
inline constexpr const char *kIntegerClasses[] = {"zero",   "one",    "small",   "power-of-2", "beside-power-of-2",
                                                  "32-bit", "64-bit", "31-ones", "63-ones"};
inline constexpr unsigned kIntegerClassCount = 9;

// Number of classes with their signs, 2 * class + sign; all have members but the negative integer zero.
unsigned classes(const Operation &op, bool isDouble);
inline bool hasMembers(const Operation &op, unsigned index) { return op.kind != Sources::Integer || index != 1; }
const char *className(const Operation &op, unsigned index);

class Operands {
public:
  explicit Operands(uint64_t seed) : state_(seed * 2 + 1) {}
  uint64_t random();
  unsigned below(unsigned n) { return unsigned((random() >> 32) * n >> 32); }
  bool chance(unsigned in256) { return below(256) < in256; }
  // An operand of that class.
  uint64_t ofClass(const Operation &op, bool isDouble, unsigned index);
  // Sources that depend on each other, of any class; `vector` has operation, format and mode.
  void related(Vector &vector);

private:
  uint64_t fraction(unsigned bits);
  uint64_t floating(bool isDouble, unsigned index);
  uint64_t integer(unsigned index);

  uint64_t state_;
};

// Class of an operand.
unsigned classOf(const Operation &op, bool isDouble, uint64_t source);

#endif
