// SPDX-License-Identifier: Apache-2.0
//
// Finds out that the design waits for nothing but a time, and moves it there (docs/design/simulation.md).
#ifndef NHG_TIME_JUMP_H
#define NHG_TIME_JUMP_H

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model_state.h"
#include "timers.h"

class Vsim_top;

namespace nhg {

class TimeJump {
public:
  // `reports`: all that changes is counted.
  TimeJump(Vsim_top &top, bool reports);

  // After each cycle in which the core retired nothing: so many cycles from here on are like the last two, or take turns as the last four did;
  // at most `horizon`. Mostly 0.
  uint64_t quiet(uint64_t horizon);
  // After each other cycle, and where a cycle is not to be compared with the one before.
  void busy() {
    idle_ = 0;
    watching_ = true;
  }

  // The state after so many quiet cycles, but for registers that the next cycle sets anew.
  void skip(uint64_t cycles);

  // For the check: the state after skip() and one cycle more, which `cycle` simulates. The design itself is as before.
  std::vector<uint8_t> foresee(uint64_t cycles, const std::function<void()> &cycle);
  // A word of the design that is another one in that state, or none.
  std::string differs(const std::vector<uint8_t> &foreseen) const;

  // What was skipped, and what held up the rest.
  void report(FILE *out, uint64_t cycles) const;

private:
  // Words that were seen to change lately: as long as one of them still does, nothing else need be looked at.
  struct Restless {
    uint32_t offset = ModelState::kNowhere, bytes = 0; // of that word alone: its neighbour may be a counter
    uint64_t last = 0, before_last = 0;
  };

  bool restless();
  bool stepped();
  void heldUp(uint32_t changed); // by this word
  void keep();

  const bool reports_;
  ModelState state_;
  Timers timers_;
  unsigned idle_ = 0; // cycles
  uint64_t pause_ = 0;
  bool watching_ = true; // nothing has been kept
  // Cycles since the state was kept, and between two that are equal to it; 0: not known.
  unsigned age_ = 0, period_ = 0;
  std::vector<uint64_t> counters_, steps_; // of state_.counters()
  std::array<Restless, 32> restless_{};
  size_t next_restless_ = 0;
  uint64_t jumps_ = 0, skipped_ = 0, tries_ = 0, too_near_ = 0;
  std::map<const ModelState::Word *, uint64_t> held_up_;
};

} // namespace nhg
#endif
