// SPDX-License-Identifier: Apache-2.0
#include "lockstep_interrupts.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
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

std::string receiveUpTo(Machine &machine, uint64_t count) {
  const uint64_t before = machine.uart().received();
  if (count < before)
    return "UART: golden has received " + std::to_string(before) + " bytes, RTL " + std::to_string(count);
  while (machine.uart().received() < count)
    if (!machine.receiveNext())
      return "UART: RTL has received byte " + std::to_string(count) + ", golden has no input or no room for it";
  return "";
}

void receiveBeforeLoad(Machine &machine, uint64_t address, size_t size, uint64_t value, uint64_t count) {
  uint8_t bytes[sizeof value];
  if (!Plic::isHere(address))
    return;
  while (machine.uart().received() < count && machine.plic().peek(address, size, bytes) &&
         memcmp(bytes, &value, size) != 0 && machine.receiveNext()) {
  }
}

} // namespace nhg
