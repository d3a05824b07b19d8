// SPDX-License-Identifier: Apache-2.0
#include "sleep.h"

#include <stdexcept>
#include <string>

namespace nhg {

namespace {

enum { kMachineTimer, kSupervisorTimer, kMachineExternal, kSupervisorExternal };

} // namespace

Sleep::Sleep(Vsim_top &top) : state_(top) {
  const std::string csrs = "core.tile.core.backend.csr.privileged.";
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

bool Sleep::willEnd(bool input) const {
  return (isSet(enabled_[kMachineTimer]) && comes(machine_alarm_)) ||
         (isSet(enabled_[kSupervisorTimer]) && isSet(has_supervisor_alarm_) && comes(supervisor_alarm_)) ||
         (input && (isSet(enabled_[kMachineExternal]) || isSet(enabled_[kSupervisorExternal])));
}

bool Sleep::comes(Word alarm) const { return state_.element(*alarm) > state_.element(*time_); }

} // namespace nhg
