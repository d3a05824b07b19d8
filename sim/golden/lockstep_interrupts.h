// SPDX-License-Identifier: Apache-2.0
//
// When the RTL must take an interrupt that the golden model lets in, and what the UART has received then (golden.h).
#ifndef NHG_LOCKSTEP_INTERRUPTS_H
#define NHG_LOCKSTEP_INTERRUPTS_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "interrupts.h"
#include "machine.h"

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

// The UART receives what the RTL's has by now; "" or what is wrong.
std::string receiveUpTo(Machine &machine, uint64_t count);
// Before a load of the PLIC that returned `value`: a byte that has come until it retires, `count` in all, may have become pending before or behind it.
void receiveBeforeLoad(Machine &machine, uint64_t address, size_t size, uint64_t value, uint64_t count);

} // namespace nhg
#endif
