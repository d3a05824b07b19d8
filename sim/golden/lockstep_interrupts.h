// SPDX-License-Identifier: Apache-2.0
//
// When the RTL must take an interrupt that the golden model lets in (golden.h).
#ifndef NHG_LOCKSTEP_INTERRUPTS_H
#define NHG_LOCKSTEP_INTERRUPTS_H

#include <cstdint>
#include <string>

#include "interrupts.h"

namespace nhg {

class InterruptRules {
public:
  // Before an instruction that no interrupt replaces: why one should have, or "".
  std::string isDue(const Interrupts &interrupts);
  void retired(uint32_t insn, const Interrupts &interrupts);
  void taken();

private:
  uint64_t waits_ = 0;   // instructions since one was let in
  bool is_next_ = false; // a CSR or the mode has changed, and one is let in
};

} // namespace nhg
#endif
