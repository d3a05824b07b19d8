// SPDX-License-Identifier: Apache-2.0
//
// Whether a core that retires nothing sleeps in a wfi that something is still to end: a timer interrupt that is enabled in mie and whose time is to come,
// or input of the UART with external interrupts enabled. Anything else is a hang.
#ifndef NHG_SLEEP_H
#define NHG_SLEEP_H

#include <cstdint>

#include "core_memory.h"

namespace nhg {

class Sleep {
public:
  Sleep(Vsim_top &top, Memory &memory);

  // Nothing has retired since the cycle `since`, and the instruction at `head` is to retire first. `input`: the UART is to receive more, and can.
  bool willEnd(uint64_t since, uint64_t head, bool input);

private:
  using Word = const ModelState::Word *;

  bool isWfi(uint64_t address);
  bool isSet(Word bit) const { return state_.element(*bit); }
  bool comes(Word alarm) const;

  Vsim_top &top_;
  Memory &memory_;
  ModelState state_;
  bool has_core_;   // and no traffic generator in its place
  Word enabled_[4]; // timer and external interrupts of M and S mode
  Word time_, machine_alarm_, supervisor_alarm_, has_supervisor_alarm_;
  uint64_t looked_at_ = UINT64_MAX; // cycle since which nothing had retired
  bool is_wfi_ = false;
};

} // namespace nhg
#endif
