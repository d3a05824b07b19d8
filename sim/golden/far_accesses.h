// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores of the hart that reach far memory, by pc: what the core would wait for itself. Requests of the AMU are none of them.
#ifndef NHG_FAR_ACCESSES_H
#define NHG_FAR_ACCESSES_H

#include <cstdint>
#include <map>

#include <riscv/mmu.h>

#include "machine.h"

namespace nhg {

class FarAccesses : public memtracer_t {
public:
  explicit FarAccesses(Machine &machine) : machine_(machine) { machine.hart().get_mmu()->register_memtracer(this); }

  // While it counts, accesses to far memory are slower.
  void count(bool on) {
    counts_ = on;
    machine_.hart().get_mmu()->flush_tlb();
  }
  const std::map<uint64_t, uint64_t> &byPc() const { return by_pc_; }

  bool interested_in_range(uint64_t begin, uint64_t end, access_type type) override {
    return counts_ && type != FETCH && begin < NHG_FAR_BASE + NHG_FAR_SIZE && NHG_FAR_BASE < end;
  }
  void trace(uint64_t, size_t, access_type) override {
    if (counts_ && !machine_.probesRequest())
      by_pc_[machine_.hart().get_state()->pc]++;
  }
  void clean_invalidate(uint64_t, size_t, bool, bool) override {}

private:
  Machine &machine_;
  bool counts_ = false;
  std::map<uint64_t, uint64_t> by_pc_;
};

} // namespace nhg
#endif
