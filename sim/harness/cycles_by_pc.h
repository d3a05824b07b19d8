// SPDX-License-Identifier: Apache-2.0
//
// Cycles by what the core did in them (StallCause of the core) and by the instruction at the ROB head. A cycle with an empty ROB belongs to the
// next instruction that comes to its head.
#ifndef NHG_CYCLES_BY_PC_H
#define NHG_CYCLES_BY_PC_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace nhg {

class CyclesByPc {
public:
  using Row = std::vector<uint64_t>; // cycles of each cause

  explicit CyclesByPc(size_t causes) : causes_(causes), waiting_(causes) {}

  void clear();
  void count(uint64_t cycles, size_t cause, bool has_head, uint64_t pc);
  // By PC. What still waits for an instruction belongs to the last one.
  std::map<uint64_t, Row> rows() const;

private:
  size_t causes_;
  std::unordered_map<uint64_t, Row> table_;
  uint64_t last_pc_ = 0;
  Row *last_ = nullptr; // its row
  Row waiting_;         // cycles with an empty ROB since the last instruction
  bool waits_ = false;
};

} // namespace nhg
#endif
