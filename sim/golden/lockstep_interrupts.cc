// SPDX-License-Identifier: Apache-2.0
#include "lockstep_interrupts.h"

#include <cinttypes>
#include <cstdio>
#include <utility>

#include "csrs.h"

namespace nhg {

namespace {

// More than the instructions that a core may have under way when an interrupt comes.
constexpr unsigned Bound = 256;

bool letsInterruptsIn(uint32_t insn) {
  constexpr uint32_t Mret = 0x30200073, Sret = 0x10200073, Dret = 0x7b200073;
  const bool writes = (insn >> 12 & 3) == 1 || (insn >> 15 & 31) != 0;
  return insn == Mret || insn == Sret || insn == Dret || (isCsrInstruction(insn) && writes);
}

} // namespace

std::string InterruptRules::isDue(const Interrupts &interrupts) {
  const uint64_t waiting = interrupts.letIn();
  waits_ = waiting ? waits_ + 1 : 0;
  const bool now = std::exchange(is_next_, false) && waiting;
  if (!now && waits_ <= Bound)
    return "";
  char text[128];
  snprintf(text, sizeof text, "golden lets an interrupt in (mip & mie 0x%" PRIx64 "), RTL does not take it ", waiting);
  return text + (now ? std::string("at once") : "within " + std::to_string(Bound) + " instructions");
}

void InterruptRules::retired(uint32_t insn, const Interrupts &interrupts) {
  is_next_ = letsInterruptsIn(insn) && interrupts.letIn();
}

void InterruptRules::taken() {
  waits_ = 0;
  is_next_ = false;
}

} // namespace nhg
