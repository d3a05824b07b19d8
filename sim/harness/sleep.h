// SPDX-License-Identifier: Apache-2.0
//
// Whether a core that sleeps in a wfi is still to be woken: by a timer interrupt that is enabled in mie and whose time is to come,
// or input of the UART with external interrupts enabled. Anything else is a hang.
#ifndef NHG_SLEEP_H
#define NHG_SLEEP_H

#include <cstdint>

#include "model_state.h"

namespace nhg {

class Sleep {
public:
  explicit Sleep(Vsim_top &top);

  // `input`: the UART is to receive more, and can.
  bool willEnd(bool input) const;

private:
  using Word = const ModelState::Word *;

  bool isSet(Word bit) const { return state_.element(*bit); }
  bool comes(Word alarm) const;

  ModelState state_;
  Word enabled_[4]; // timer and external interrupts of M and S mode
  Word time_, machine_alarm_, supervisor_alarm_, has_supervisor_alarm_;
};

} // namespace nhg
#endif
