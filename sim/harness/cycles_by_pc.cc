// SPDX-License-Identifier: Apache-2.0
#include "cycles_by_pc.h"

#include <algorithm>

namespace nhg {

void CyclesByPc::clear() {
  table_.clear();
  last_ = nullptr;
  std::fill(waiting_.begin(), waiting_.end(), 0);
  waits_ = false;
}

void CyclesByPc::count(uint64_t cycles, size_t cause, bool has_head, uint64_t pc) {
  if (!has_head) {
    waiting_[cause] += cycles;
    waits_ = true;
    return;
  }
  if (!last_ || pc != last_pc_) {
    last_pc_ = pc;
    last_ = &table_.try_emplace(pc, causes_).first->second; // stays where it is
  }
  (*last_)[cause] += cycles;
  if (waits_) {
    for (size_t i = 0; i < causes_; i++)
      (*last_)[i] += waiting_[i];
    std::fill(waiting_.begin(), waiting_.end(), 0);
    waits_ = false;
  }
}

std::map<uint64_t, CyclesByPc::Row> CyclesByPc::rows() const {
  std::map<uint64_t, Row> rows(table_.begin(), table_.end());
  if (waits_) {
    Row &row = rows.try_emplace(last_pc_, causes_).first->second;
    for (size_t i = 0; i < causes_; i++)
      row[i] += waiting_[i];
  }
  return rows;
}

} // namespace nhg
