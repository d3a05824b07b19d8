// SPDX-License-Identifier: Apache-2.0
//
// Makes Spike's CSRs those of NH-G: the fields of tools/platform/csrs.toml, counters on the machine's clock, a count of traps, debug mode by a write.
#ifndef NHG_CSRS_H
#define NHG_CSRS_H

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include <riscv/processor.h>

#include "interrupts.h"
#include "platform.h"

namespace nhg {

struct CsrEvents {
  std::function<void(reg_t)> trapTaken; // with the cause of each trap, to any mode, while Spike takes it
  std::function<void()> debugEntered;   // debug mode, in which the counters stand still
};
// Call after the hart's reset. What it returns is to be called behind a dret, step() done: the counters go on.
std::function<void()> defineCsrs(processor_t &hart, const CsrEvents &events, Interrupts &interrupts);

// Cause and value of the trap that was taken last, by the mode that it entered.
uint64_t trapCause(const state_t &state);
uint64_t trapValue(const state_t &state);

// The CSRs of csrs.toml in its order, as M mode reads them.
using PrivilegedCsrs = std::array<uint64_t, NHG_PRIVILEGED_CSR_COUNT>;
PrivilegedCsrs privilegedCsrs(const state_t &state);
const char *privilegedCsrName(size_t index);
size_t privilegedCsrIndex(uint64_t number);

// A CSR instruction, whose write the RTL has done when it retires.
bool isCsrInstruction(uint32_t insn);

} // namespace nhg
#endif
