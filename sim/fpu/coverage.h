// SPDX-License-Identifier: Apache-2.0
//
// How many vectors each operation had, by rounding mode and by the classes of its operands.
#ifndef FPU_COVERAGE_H
#define FPU_COVERAGE_H

#include <map>
#include <string>
#include <vector>

#include "operands.h"

class Coverage {
public:
  void count(const Vector &vector, const Result &result);
  // The table; returns the number of combinations of operation, mode and classes of all operands that no vector had.
  uint64_t print() const;
  // operation,format,mode,operand,class,sign,vectors
  void write(const std::string &path) const;

private:
  struct Operands { // of an operation and a format
    uint64_t vectors = 0, modes[kRoundingModes] = {}, flags[5] = {};
    std::vector<uint32_t> cells[kRoundingModes]; // by the classes of all operands
    uint64_t single[3][kRoundingModes][2 * kFloatClassCount] = {};
  };
  std::map<std::pair<unsigned, bool>, Operands> counts_;
};

#endif
