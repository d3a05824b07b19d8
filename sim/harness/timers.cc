// SPDX-License-Identifier: Apache-2.0
#include "timers.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "platform.h"

namespace nhg {

namespace {

constexpr unsigned kWordBits = 32; // VlWide's

size_t bucketIndex(uint64_t time, const ModelState::Word &buckets) {
  const size_t count = buckets.bytes / sizeof(uint32_t); // a power of two
  return time & (count - 1);
}

} // namespace

Timers::Timers(ModelState &state) : state_(state) {
  const auto word = [&state](const std::string &name) {
    const Word found = state.find(name);
    if (!found)
      throw std::runtime_error("time jump: the design has no " + name +
                               "; give --no-time-jump, and its new name to sim/harness/timers.cc");
    return found;
  };
  now_ = word("delayer.now");
  for (const char *channel : {"read", "write"}) {
    const std::string scheduler = std::string("delayer.") + channel + "_channel.scheduler.",
                      calendar = scheduler + "calendar.";
    calendars_.push_back({word(scheduler + "waiting"), word(calendar + "heads"), word(calendar + "bucket_of"),
                          word(calendar + "buckets_to_sweep.words")});
  }
  for (const std::string memory : {"local_memory.", "far_memory."})
    for (const std::string fifo : {"reads.", "answers."})
      fifos_.push_back({word(memory + "now"), word(memory + fifo + "count"), word(memory + fifo + "ram.use_forwarded"),
                        word(memory + fifo + "ram.stored_word"), word(memory + fifo + "ram.forwarded_word")});
  // Not in the traffic generator that stands for the core. A core whose table had another name would never be still.
  const std::string table = "core.tile.core.backend.waitTable.";
  sweep_time_ = state.find(table + "time_0");
  if (sweep_time_) {
    sweep_initialised_ = word(table + "initialised");
    wait_table_ = word(table + "table_ext.Memory");
    for (const char *port : {"v0", "v1"})
      idle_writes_.push_back(word("__VdlySet__sim_top." + table + "table_ext.Memory__" + port));
  }
  if (sweep_time_) {
    ticks_ = word("core.clint.ticks");
    tick_cycles_ = word("core.clint.tickCycles");
    alarms_ = {word("core.clint.mtimecmp"), word("core.tile.core.backend.csr.privileged.stimecmp_value")};
  }
  poll_cycles_ = state.find("core.tile.core.frontend.pollCycles");
  if (poll_cycles_)
    poll_wait_ = word("core.tile.amu.config_0.config_pollWait");
}

uint64_t Timers::cycles() const {
  uint64_t least = sweep_time_ ? waitTableCycles() : UINT64_MAX;
  if (poll_cycles_)
    least = std::min(least, pollCycles());
  for (const Word alarm : alarms_)
    least = std::min(least, alarmCycles(*alarm));
  for (const Calendar &calendar : calendars_)
    least = std::min(least, cycles(calendar));
  for (const DueFifo &fifo : fifos_)
    least = std::min(least, cycles(fifo));
  for (const Word wait : state_.counters()) {
    if (wait->kind != ModelState::WAIT)
      continue;
    const uint64_t waited = state_.element(*wait), limit = uint64_t(1) << (wait->bits - 1);
    if (waited)
      least = std::min(least, limit - std::min(waited + 1, limit));
  }
  return least;
}

// While the memory owes an answer, times are compared with deadlines: not looked into, it owes one for a few cycles. Else a bucket that leads a
// list is read two cycles before its time.
uint64_t Timers::cycles(const Calendar &calendar) const {
  uint64_t least = UINT64_MAX;
  const uint64_t now = state_.element(*now_);
  for (size_t i = 0; i < calendar.heads->bytes / sizeof(uint32_t); i++) {
    if (state_.part(*calendar.waiting, i))
      return 0;
    for (uint32_t heads = state_.part(*calendar.heads, i); heads; heads &= heads - 1) {
      const size_t slot = kWordBits * i + size_t(__builtin_ctz(heads));
      const uint64_t left = bucketIndex(state_.element(*calendar.bucket_of, slot) - now, *calendar.buckets);
      least = std::min(least, left < 2 ? 0 : left - 2);
    }
  }
  return least;
}

uint64_t Timers::cycles(const DueFifo &fifo) const {
  if (!state_.element(*fifo.count))
    return UINT64_MAX;
  const Word oldest = state_.element(*fifo.use_forwarded) ? fifo.forwarded : fifo.stored;
  const auto left = int32_t(uint32_t(state_.element(*oldest)) - uint32_t(state_.element(*fifo.now)));
  return left <= 0 ? UINT64_MAX : uint64_t(left) - 1; // its time has come: it waits for something else
}

// The sweep makes entries smaller that are not 0.
uint64_t Timers::waitTableCycles() const {
  if (!state_.element(*sweep_initialised_))
    return 0;
  const uint64_t entries = wait_table_->bytes, round = uint64_t(1) << sweep_time_->bits,
                 time = state_.element(*sweep_time_);
  const uint8_t *table = state_.bytes(*wait_table_);
  const auto used = [](uint8_t entry) { return entry != 0; };
  if (time < entries) {
    const uint8_t *next = std::find_if(table + time, table + entries, used);
    if (next != table + entries)
      return uint64_t(next - table) - time;
  }
  const uint8_t *first = std::find_if(table, table + entries, used);
  return first == table + entries ? UINT64_MAX : round - time + uint64_t(first - table);
}

// A bafin that waits for a group in the frontend goes on without one when its time is over. The counter is 0 where none has waited, and does not
// count where one has waited to the end.
uint64_t Timers::pollCycles() const {
  const uint64_t waited = state_.element(*poll_cycles_), limit = state_.element(*poll_wait_);
  return waited && waited < limit ? limit - waited - 1 : UINT64_MAX;
}

// A timer interrupt becomes pending with the edge at which time reaches it.
uint64_t Timers::alarmCycles(const ModelState::Word &alarm) const {
  const uint64_t time = state_.element(*ticks_), due = state_.element(alarm), ticks = due - time;
  if (due <= time || ticks > UINT64_MAX / NHG_TICK_CYCLES)
    return UINT64_MAX;
  return ticks * NHG_TICK_CYCLES - state_.element(*tick_cycles_) - 1;
}

void Timers::passTime(uint64_t cycles) {
  if (!ticks_)
    return;
  const uint64_t passed = state_.element(*tick_cycles_) + cycles;
  state_.set(*ticks_, state_.element(*ticks_) + passed / NHG_TICK_CYCLES);
  state_.set(*tick_cycles_, passed % NHG_TICK_CYCLES);
}

} // namespace nhg
