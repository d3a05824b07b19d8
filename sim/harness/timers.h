// SPDX-License-Identifier: Apache-2.0
//
// Whatever in the simulated design begins something because a time has come, and when that is next. One entry for each comparison of a
// free-running counter with anything; docs/design/simulation.md has the list, and why it is complete.
#ifndef NHG_TIMERS_H
#define NHG_TIMERS_H

#include <cstdint>
#include <vector>

#include "model_state.h"

namespace nhg {

class Timers {
public:
  explicit Timers(ModelState &state);

  // So many clock edges pass at least before one at which a timer does something, in a design that waits.
  uint64_t cycles() const;
  // CSR time after so many cycles more; it counts ticks, so it has no step of a cycle.
  void passTime(uint64_t cycles);
  // Words that tell of writes which a timer makes all the time, of what is there already.
  const std::vector<const ModelState::Word *> &idleWrites() const { return idle_writes_; }

private:
  using Word = const ModelState::Word *;
  // The calendar of a channel of the delayer.
  struct Calendar {
    Word waiting, heads, bucket_of, buckets;
  };
  // A FIFO of the behavioural memory whose words end with the time at which they are due.
  struct DueFifo {
    Word now, count, use_forwarded, stored, forwarded;
  };

  uint64_t cycles(const Calendar &calendar) const;
  uint64_t cycles(const DueFifo &fifo) const;
  uint64_t waitTableCycles() const;
  uint64_t pollCycles() const;
  uint64_t alarmCycles(const ModelState::Word &alarm) const;

  ModelState &state_;
  Word now_; // of the delayer
  std::vector<Calendar> calendars_;
  std::vector<DueFifo> fifos_;
  Word sweep_time_, sweep_initialised_, wait_table_; // null: no core
  Word ticks_ = nullptr, tick_cycles_ = nullptr;     // null: no core
  std::vector<Word> alarms_;                         // times at which a timer interrupt becomes pending
  Word poll_cycles_, poll_wait_ = nullptr;           // null: no AMU
  std::vector<Word> idle_writes_;
};

} // namespace nhg
#endif
