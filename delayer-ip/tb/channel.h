// SPDX-License-Identifier: Apache-2.0
//
// Reference model of when transactions may be answered, for reads and for writes. Says what the contract says and not
// how the device does it: a transaction is ready when its delay has passed, the memory has answered, and an older one of
// its ID in flight is ready; whenever one is ready, one is answered.
#ifndef DELAYER_CHANNEL_H
#define DELAYER_CHANNEL_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "pins.h"

// Times in cycles.
struct Transaction {
  Address request;
  uint64_t begun = 0, due = 0, ready = 0; // due: begin plus delay
  unsigned delay = 0;
  bool started = false, arrived = false, answered = false;
  std::deque<Data> data; // come and not answered
};

class Channel {
public:
  size_t inFlight() const { return all_.size(); }

  void accept(const Address &request) {
    all_[next_].request = request;
    of_id_[request.id].push_back(next_);
    to_start_.push_back(next_);
    to_arrive_.push_back(next_++);
  }

  bool anyToStart() const { return !to_start_.empty(); }

  void start(uint64_t now, unsigned delay) {
    Transaction &t = all_.at(to_start_.front());
    to_start_.pop_front();
    t.begun = now;
    t.due = now + delay;
    t.delay = delay;
    t.started = true;
  }

  // The transaction the memory answers next; null: none is in flight.
  const Transaction *arriving() const { return to_arrive_.empty() ? nullptr : &all_.at(to_arrive_.front()); }

  // An answer of the memory; returns whether it is the first to its transaction and comes too late.
  bool arrive(uint64_t now, const Data &data) {
    uint64_t number = to_arrive_.at(0);
    Transaction &t = all_.at(number);
    t.data.push_back(data);
    bool late = !t.arrived && t.delay != 0 && now > t.due;
    if (!t.arrived) {
      t.arrived = true;
      t.ready = std::max(now, t.due);
      auto &same_id = of_id_[t.request.id];
      auto self = std::find(same_id.begin(), same_id.end(), number);
      if (self != same_id.begin())
        t.ready = std::max(t.ready, all_.at(*std::prev(self)).ready);
      ready_.insert({t.ready, number});
    }
    if (data.last)
      to_arrive_.pop_front();
    return late;
  }

  bool overdue(uint64_t now) const {
    const Transaction *t = arriving();
    return t && t->started && !t->arrived && t->delay != 0 && now > t->due;
  }

  // Whether something is to be answered in this cycle.
  bool available(uint64_t now) const {
    if (active_)
      return !all_.at(current_).data.empty();
    return !ready_.empty() && ready_.begin()->first <= now;
  }

  // What the device answers with in this cycle, by its ID; null: that is not allowed.
  Transaction *choose(uint64_t now, uint32_t id) {
    if (!active_) {
      auto found = of_id_.find(id);
      if (found == of_id_.end())
        return nullptr;
      const Transaction &t = all_.at(found->second.front());
      if (!t.arrived || t.ready > now)
        return nullptr;
      current_ = found->second.front();
      overtaken_ = std::max(overtaken_, t.ready - ready_.begin()->first);
      overtakes_ += current_ != all_.begin()->first;
      ready_.erase({t.ready, current_});
      active_ = true;
    }
    Transaction &t = all_.at(current_);
    return t.request.id == id ? &t : nullptr;
  }

  // The answer chosen was taken.
  void taken() {
    Transaction &t = all_.at(current_);
    bool last = t.data.front().last;
    t.data.pop_front();
    if (!last)
      return;
    auto same_id = of_id_.find(t.request.id);
    same_id->second.pop_front();
    if (same_id->second.empty())
      of_id_.erase(same_id);
    all_.erase(current_);
    active_ = false;
  }

  uint64_t overtakes() const { return overtakes_; } // answers given before that of an older transaction
  uint64_t overtaken() const { return overtaken_; } // longest time by which a ready one was passed over

private:
  std::map<uint64_t, Transaction> all_; // by number, in order of acceptance
  std::unordered_map<uint32_t, std::deque<uint64_t>> of_id_;
  std::deque<uint64_t> to_start_, to_arrive_;
  std::set<std::pair<uint64_t, uint64_t>> ready_; // arrived and not chosen: ready time, number
  uint64_t next_ = 0, current_ = 0, overtakes_ = 0, overtaken_ = 0;
  bool active_ = false;
};

#endif
