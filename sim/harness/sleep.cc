// SPDX-License-Identifier: Apache-2.0
#include "sleep.h"

#include <stdexcept>
#include <string>

namespace nhg {

namespace {

constexpr uint32_t kWfi = 0x10500073;
enum { kMachineTimer, kSupervisorTimer, kMachineExternal, kSupervisorExternal };

} // namespace

Sleep::Sleep(Vsim_top &top, Memory &memory) : top_(top), memory_(memory), state_(top) {
  const std::string csrs = "core.tile.core.backend.csr.privileged.";
  has_core_ = state_.find(csrs + "mode");
  if (!has_core_)
    return;
  const auto word = [this](const std::string &name) {
    const Word found = state_.find(name);
    if (!found)
      throw std::runtime_error("watchdog: the design has no " + name + "; give its new name to sim/harness/sleep.cc");
    return found;
  };
  size_t i = 0;
  for (const char *name : {"mie_mti", "mie_sti", "mie_mei", "mie_sei"})
    enabled_[i++] = word(csrs + name);
  time_ = word("core.clint.ticks");
  machine_alarm_ = word("core.clint.mtimecmp");
  supervisor_alarm_ = word(csrs + "stimecmp_value");
  has_supervisor_alarm_ = word(csrs + "hasStimecmp");
}

bool Sleep::willEnd(uint64_t since, uint64_t head, bool input) {
  if (!has_core_)
    return false;
  if (looked_at_ != since) {
    looked_at_ = since;
    is_wfi_ = isWfi(head);
  }
  if (!is_wfi_)
    return false;
  return (isSet(enabled_[kMachineTimer]) && comes(machine_alarm_)) ||
         (isSet(enabled_[kSupervisorTimer]) && isSet(has_supervisor_alarm_) && comes(supervisor_alarm_)) ||
         (input && (isSet(enabled_[kMachineExternal]) || isSet(enabled_[kSupervisorExternal])));
}

bool Sleep::comes(Word alarm) const { return state_.element(*alarm) > state_.element(*time_); }

bool Sleep::isWfi(uint64_t address) {
  CoreMemory memory(top_, memory_);
  memory.look();
  uint32_t instruction = 0;
  for (unsigned byte = 0; byte < sizeof instruction; byte++) {
    const uint64_t at = address + byte;
    instruction |=
        uint32_t(memory.line(at / CoreMemory::kLineBytes * CoreMemory::kLineBytes)[at % CoreMemory::kLineBytes])
        << 8 * byte;
  }
  return instruction == kWfi;
}

} // namespace nhg
