// SPDX-License-Identifier: Apache-2.0
#include "time_jump.h"

#include <algorithm>
#include <cinttypes>

namespace nhg {

namespace {

// A jump costs about as much as this many cycles.
constexpr uint64_t kWorthwhile = 8;
// The core seldom rests after fewer cycles without an instruction.
constexpr unsigned kPatience = 4;
// What is refused is tried again every second cycle, such as a store without an MSHR.
constexpr unsigned kLongestPeriod = 2;

} // namespace

TimeJump::TimeJump(Vsim_top &top, bool reports)
    : reports_(reports), state_(top), timers_(state_), counters_(state_.counters().size()),
      steps_(state_.counters().size()) {}

// Against two cycles ago, as what is tried again every second cycle has a rest, too. All of them are looked at, so that each has its last two values.
bool TimeJump::restless() {
  bool found = false;
  for (Restless &known : restless_) {
    if (known.offset == ModelState::kNowhere)
      break;
    const uint64_t value = state_.at(known.offset, known.bytes);
    found |= value != known.before_last;
    known.before_last = known.last;
    known.last = value;
  }
  return found;
}

// The counters' steps since it was last called; whether they are those of the time before.
bool TimeJump::stepped() {
  bool same = true;
  for (size_t i = 0; i < counters_.size(); i++) {
    const uint64_t value = state_.element(*state_.counters()[i]), step = value - counters_[i];
    same &= step == steps_[i];
    counters_[i] = value;
    steps_[i] = step;
  }
  return same;
}

void TimeJump::heldUp(uint32_t changed) {
  if (reports_)
    for (const ModelState::Word *word : state_.allChanged())
      held_up_[word]++;
  const ModelState::Word &word = *ModelState::wordAt(changed);
  const uint32_t bytes = std::min<uint32_t>(word.offset + word.bytes - changed, sizeof(uint64_t));
  restless_[next_restless_++ % restless_.size()] = {changed, bytes, 0, 0};
}

void TimeJump::keep() {
  tries_++;
  state_.keep();
  stepped();
  age_ = period_ = 0;
  watching_ = false;
}

uint64_t TimeJump::quiet(uint64_t horizon) {
  if (pause_) {
    pause_--;
    return 0;
  }
  if (++idle_ < kPatience)
    return 0;
  if (watching_) {
    if (!restless())
      keep();
    return 0;
  }
  age_++;
  uint32_t changed = state_.written(timers_.idleWrites());
  if (changed == ModelState::kNowhere && age_ % std::max(period_, 1u) == 0) {
    changed = state_.changed();
    if (!period_ && (changed == ModelState::kNowhere))
      period_ = age_;
    else if (!period_ && age_ < kLongestPeriod)
      return 0;
  }
  if (changed != ModelState::kNowhere) {
    heldUp(changed);
    watching_ = true;
    return 0;
  }
  if (age_ % period_)
    return 0;
  const bool same = stepped();
  if (age_ == period_)
    return 0;
  watching_ = true;
  if (!same)
    return 0;
  const uint64_t cycles = std::min(timers_.cycles(), horizon) / period_ * period_;
  if (cycles < kWorthwhile) {
    too_near_++;
    pause_ = std::max<uint64_t>(cycles, kPatience);
    return 0;
  }
  return cycles;
}

void TimeJump::skip(uint64_t cycles) {
  for (size_t i = 0; i < counters_.size(); i++)
    state_.set(*state_.counters()[i], counters_[i] + cycles / period_ * steps_[i]);
  timers_.passTime(cycles);
  state_.settle();
  jumps_++;
  skipped_ += cycles;
  busy();
}

std::vector<uint8_t> TimeJump::foresee(uint64_t cycles, const std::function<void()> &cycle) {
  const std::vector<uint8_t> before = state_.copy();
  skip(cycles);
  cycle();
  std::vector<uint8_t> after = state_.copy();
  state_.restore(before);
  return after;
}

std::string TimeJump::differs(const std::vector<uint8_t> &foreseen) const {
  const ModelState::Word *word = state_.differs(foreseen);
  return word ? ModelState::designName(*word) : "";
}

void TimeJump::report(FILE *out, uint64_t cycles) const {
  fprintf(out,
          "nhg-sim: time jump: %" PRIu64 " of %" PRIu64 " cycles skipped in %" PRIu64 " jumps, %" PRIu64
          " tries, %" PRIu64 " with a timer too near\n",
          skipped_, cycles, jumps_, tries_, too_near_);
  std::vector<std::pair<uint64_t, const ModelState::Word *>> words;
  for (const auto &[word, count] : held_up_)
    words.push_back({count, word});
  std::sort(words.rbegin(), words.rend());
  for (size_t i = 0; i < std::min<size_t>(words.size(), 40); i++)
    fprintf(out, "nhg-sim: time jump: held up %" PRIu64 " times by %s\n", words[i].first,
            ModelState::designName(*words[i].second).c_str());
}

} // namespace nhg
