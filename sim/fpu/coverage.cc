// SPDX-License-Identifier: Apache-2.0
#include "coverage.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace {
constexpr const char *kModes[] = {"RNE", "RTZ", "RDN", "RUP", "RMM"};
constexpr const char *kFlags[] = {"NX", "UF", "OF", "DZ", "NV"};
} // namespace

void Coverage::count(const Vector &vector, const Result &result) {
  const Operation &op = kOperations[vector.operation];
  Operands &of = counts_[{vector.operation, vector.isDouble}];
  const unsigned number = classes(op, vector.isDouble);
  unsigned cell = 0, size = 1;
  for (unsigned i = 0; i < op.sources; i++) {
    const unsigned index = classOf(op, vector.isDouble, vector.source[i]);
    of.single[i][vector.rm][index]++;
    cell += size * index;
    size *= number;
  }
  of.cells[vector.rm].resize(size);
  of.cells[vector.rm][cell]++;
  of.vectors++;
  of.modes[vector.rm]++;
  for (unsigned bit = 0; bit < 5; bit++)
    of.flags[bit] += result.flags >> bit & 1;
}

uint64_t Coverage::print() const {
  uint64_t missed = 0;
  printf("%-16s %9s |", "operation", "vectors");
  for (const char *mode : kModes)
    printf(" %8s", mode);
  printf(" | %10s %6s %6s | flags", "class x mode", "missed", "fewest");
  for (const char *flag : kFlags)
    printf(" %8s", flag);
  printf("\n");
  for (const auto &[key, of] : counts_) {
    const Operation &op = kOperations[key.first];
    printf("%-14s %s %9llu |", op.name, key.second ? "D" : "S", (unsigned long long)of.vectors);
    for (uint64_t mode : of.modes)
      printf(" %8llu", (unsigned long long)mode);
    uint64_t cells = 0, empty = 0;
    uint32_t fewest = ~uint32_t(0);
    const unsigned number = classes(op, key.second);
    for (const auto &mode : of.cells)
      for (unsigned cell = 0; cell < mode.size(); cell++) {
        if (!hasMembers(op, cell % number)) // integers are alone
          continue;
        cells++;
        empty += mode[cell] == 0;
        fewest = std::min(fewest, mode[cell]);
      }
    printf(" | %12llu %6llu %6u |      ", (unsigned long long)cells, (unsigned long long)empty, fewest);
    for (uint64_t flag : of.flags)
      printf(" %8llu", (unsigned long long)flag);
    printf("\n");
    missed += empty;
  }
  return missed;
}

void Coverage::write(const std::string &path) const {
  FILE *file = fopen(path.c_str(), "w");
  if (!file)
    throw std::runtime_error("cannot write " + path);
  fprintf(file, "operation,format,mode,operand,class,sign,vectors\n");
  for (const auto &[key, of] : counts_) {
    const Operation &op = kOperations[key.first];
    for (unsigned mode = 0; mode < kRoundingModes; mode++)
      for (unsigned operand = 0; operand < op.sources; operand++)
        for (unsigned index = 0; index < classes(op, key.second); index++)
          if (hasMembers(op, index))
            fprintf(file, "%s,%s,%s,%u,%s,%c,%llu\n", op.name, key.second ? "D" : "S", kModes[mode], operand + 1,
                    className(op, index), index & 1 ? '-' : '+', (unsigned long long)of.single[operand][mode][index]);
  }
  fclose(file);
}
