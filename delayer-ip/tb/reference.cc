// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <stdexcept>

namespace {
enum { kReads, kWrites, kReadBytes, kWriteBytes, kIntegral, kBusy, kMax, kLate };
constexpr uint64_t kIdValue = 0x4e48475f464d4431;

bool sameData(const Data &a, const Data &b) {
  return a.value == b.value && b.lanes_right && a.strobes == b.strobes && a.resp == b.resp && a.last == b.last;
}
} // namespace

void Reference::expect(const char *what, uint64_t expected, uint64_t seen) const {
  if (expected != seen)
    throw std::runtime_error("cycle " + std::to_string(now_) + ": " + what + ": expected " + std::to_string(expected) +
                             ", device has " + std::to_string(seen) + " (latency " + std::to_string(latency_) +
                             ", rate " + std::to_string(rate_) + ", " + std::to_string(reads_.size()) + " reads, " +
                             std::to_string(writes_.size()) + " writes in flight)");
}

void Reference::checkReads(const Pins &pins) {
  expect("s_arready", reads_.size() < kTransactions && reserved_beats_ + pins.s_ar.len + 1 <= kReadBeats, pins.s_arready);
  expect("m_rready", read_data_.size() < kReadBeats, pins.m_rready);

  bool accepted = pins.s_arvalid && pins.s_arready;
  if (accepted)
    read_requests_.push_back(pins.s_ar);
  expect("m_arvalid", !read_requests_.empty(), pins.m_arvalid);
  if (pins.m_arvalid)
    expect("m_ar request", 1, read_requests_.front() == pins.m_ar);

  if (pins.m_rvalid) {
    if (first_arrival_) {
      Read &read = reads_.at(reads_arrived_++);
      read.arrived = true;
      events_[kLate] += read.enforced && now_ > read.due;
    }
    first_arrival_ = pins.m_r.last;
    read_data_.push_back(pins.m_r);
  }

  bool offers = !read_data_.empty() && reads_.front().due <= now_ && (offered_ || tokens());
  expect("s_rvalid", offers, pins.s_rvalid);
  if (offers) {
    expect("s_rid", reads_.front().request.id, pins.s_rid);
    expect("s_r data", 1, sameData(read_data_.front(), pins.s_r));
    if (!offered_)
      charge_ += offeredBytes();
    if (!reads_.front().answered)
      read_latency_ = now_ - reads_.front().accepted;
    reads_.front().answered = true;
    offered_ = true;
    if (pins.s_rready) {
      offered_ = false;
      beats_++;
      events_[kReadBytes] += offeredBytes();
      reserved_beats_--;
      if (read_data_.front().last) {
        reads_.pop_front();
        reads_arrived_--;
        in_flight_--;
      }
      read_data_.pop_front();
    }
  }

  if (accepted) {
    last_read_due_ = std::max(now_ + std::max<uint64_t>(latency_, 1), last_read_due_ + 1);
    reads_.push_back({pins.s_ar, now_, last_read_due_, latency_ != 0});
    reserved_beats_ += pins.s_ar.len + 1;
    events_[kReads]++;
    in_flight_++;
  }
  if (pins.m_arvalid && pins.m_arready)
    read_requests_.pop_front();
}

// A write starts when it has both address and data; data may be ahead of the address.
void Reference::startWrites() {
  while (writes_with_data_ < writes_.size() && !early_data_.empty()) {
    Write &write = writes_[writes_with_data_++];
    early_data_.pop_front();
    last_write_due_ = std::max(now_ + std::max<uint64_t>(latency_, 1), last_write_due_ + 1);
    write.started = now_;
    write.due = last_write_due_;
    write.enforced = latency_ != 0;
    write.has_data = true;
  }
}

void Reference::checkWrites(const Pins &pins) {
  expect("s_awready", writes_.size() < kTransactions, pins.s_awready);
  expect("s_wready", write_data_.size() < kWriteBeats && early_data_.size() < kTransactions && tokens(), pins.s_wready);
  expect("m_bready", responses_.size() < kTransactions, pins.m_bready);

  if (pins.m_bvalid) {
    Write &write = writes_.at(writes_arrived_++);
    write.arrived = true;
    events_[kLate] += write.enforced && now_ > write.due;
    responses_.push_back(pins.m_bresp);
  }
  bool offers = !responses_.empty() && writes_.front().due <= now_;
  expect("s_bvalid", offers, pins.s_bvalid);
  if (offers) {
    expect("s_bid", writes_.front().id, pins.s_bid);
    expect("s_bresp", responses_.front(), pins.s_bresp);
    if (writes_.front().arrived) {
      write_latency_ = now_ - writes_.front().started;
      writes_.front().arrived = false;
    }
  }

  bool accepted = pins.s_awvalid && pins.s_awready;
  if (accepted) {
    write_requests_.push_back(pins.s_aw);
    writes_.push_back({pins.s_aw.id, 0, 0, true, false, false});
    events_[kWrites]++;
    in_flight_++;
  }
  if (pins.s_wvalid && pins.s_wready) {
    write_data_.push_back(pins.s_w);
    unsigned bytes = __builtin_popcount(pins.s_w.strobes);
    charge_ += bytes;
    events_[kWriteBytes] += bytes;
    beats_++;
    if (pins.s_w.last)
      early_data_.push_back(true);
  }
  startWrites();
  expect("m_awvalid", !write_requests_.empty(), pins.m_awvalid);
  expect("m_wvalid", !write_data_.empty(), pins.m_wvalid);
  if (pins.m_awvalid) {
    expect("m_aw request", 1, write_requests_.front() == pins.m_aw);
    if (pins.m_awready)
      write_requests_.pop_front();
  }
  if (pins.m_wvalid) {
    expect("m_w data", 1, sameData(write_data_.front(), pins.m_w));
    if (pins.m_wready)
      write_data_.pop_front();
  }
  if (offers && pins.s_bready) {
    writes_.pop_front();
    writes_with_data_--;
    writes_arrived_--;
    responses_.pop_front();
    in_flight_--;
  }
}

void Reference::chargeRegulator() {
  constexpr int64_t full = int64_t(kBucketBytes) << 16, two_beats = 64 << 16;
  int64_t charge = int64_t(charge_) << 16;
  bytes_ += charge_;
  level_ = rate_ == 0 ? full : std::min(level_ + rate_, full) - charge;
  // Whatever the device's own arithmetic: never more than a bucket and one beat each way above the rate.
  burst_ = rate_ == 0 ? 0 : std::max<int64_t>(burst_ - rate_, 0) + charge;
  if (burst_ > full + two_beats)
    throw std::runtime_error("cycle " + std::to_string(now_) + ": more than the configured bandwidth");
  charge_ = 0;
}

void Reference::checkControl(const Pins &pins) {
  unsigned index = pins.control_addr / 8;
  bool aligned = pins.control_addr % 8 == 0;
  if (pins.control_valid && !pins.control_write) {
    uint64_t value = 0;
    if (aligned && index >= 8 && index < 16)
      value = snapshot_[index - 8];
    else if (aligned)
      value = index == 0 ? kIdValue : index == 2 ? latency_ : index == 3 ? rate_ : 0;
    expect("control_rdata", value, pins.control_rdata);
  }
  bool write = pins.control_valid && pins.control_write && aligned;
  bool clear = write && index == 1 && (pins.control_wdata & 1);
  if (write && index == 1 && (pins.control_wdata & 2))
    snapshot_ = live_;
  if (clear)
    live_.fill(0);
  for (unsigned i = 0; i < live_.size(); i++)
    live_[i] += events_[i];
  live_[kMax] = std::max(live_[kMax], in_flight_at_start_);
  events_.fill(0);
  if (write && index == 2)
    latency_ = static_cast<uint16_t>(std::min<uint64_t>(pins.control_wdata, UINT16_MAX));
  if (write && index == 3)
    rate_ = static_cast<uint32_t>(std::min<uint64_t>(pins.control_wdata, UINT32_MAX));
}

void Reference::cycle(const Pins &pins) {
  in_flight_at_start_ = in_flight_;
  events_[kIntegral] += in_flight_;
  events_[kBusy] += in_flight_ != 0;
  checkReads(pins);
  checkWrites(pins);
  chargeRegulator();
  checkControl(pins);
  now_++;
}
