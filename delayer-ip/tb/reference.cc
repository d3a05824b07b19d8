// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <stdexcept>

namespace {
constexpr uint64_t kIdValue = 0x4e48475f464d4431;

bool sameData(const Data &a, const Data &b) {
  return a.value == b.value && b.lanes_right && a.strobes == b.strobes && a.resp == b.resp && a.last == b.last;
}
} // namespace

void Reference::expect(const char *what, uint64_t expected, uint64_t seen) const {
  if (expected != seen)
    throw std::runtime_error("cycle " + std::to_string(now_) + ": " + what + ": expected " + std::to_string(expected) +
                             ", device has " + std::to_string(seen) + " (latency " + std::to_string(settings_.latency) +
                             ", jitter " + std::to_string(settings_.model) + ", rate " + std::to_string(rate_) + ", " +
                             std::to_string(reads_.inFlight()) + " reads, " + std::to_string(writes_.inFlight()) +
                             " writes in flight)");
}

// The first answer to a transaction is offered in this cycle.
void Reference::answer(bool write, const Transaction &transaction) {
  uint64_t latency = now_ - transaction.begun;
  events_[write ? kWriteLatencySum : kReadLatencySum] += latency;
  uint64_t &least = events_[write ? kWriteLatencyMin : kReadLatencyMin];
  uint64_t &greatest = events_[write ? kWriteLatencyMax : kReadLatencyMax];
  least = latency;
  greatest = latency;
  uint64_t bin = latency < histogram_base_ ? 0 : (latency - histogram_base_) >> histogram_shift_;
  bin_events_[write][std::min<uint64_t>(bin, kBins - 1)]++;
}

void Reference::checkReads(const Pins &pins) {
  bool slot = reads_.inFlight() < kTransactions, room = reserved_beats_ + pins.s_ar.len + 1 <= kReadBeats;
  expect("s_arready", slot && room, pins.s_arready);
  expect("m_rready", true, pins.m_rready);

  bool accepted = pins.s_arvalid && pins.s_arready;
  if (accepted)
    read_requests_.push_back(pins.s_ar);
  expect("m_arvalid", !read_requests_.empty(), pins.m_arvalid);
  if (pins.m_arvalid)
    expect("m_ar request", 1, read_requests_.front() == pins.m_ar);

  bool overdue = reads_.overdue(now_) && !pins.m_rvalid;
  if (pins.m_rvalid)
    events_[kLate] += reads_.arrive(now_, pins.m_r);
  bool available = reads_.available(now_);
  expect("s_rvalid", available && (read_offered_ || tokens(false)), pins.s_rvalid);
  if (pins.s_rvalid) {
    Transaction *read = reads_.choose(now_, pins.s_rid);
    expect("s_rid of a read that may be answered", 1, read != nullptr);
    expect("s_r data", 1, sameData(read->data.front(), pins.s_r));
    unsigned bytes = 1u << read->request.size;
    if (!read_offered_)
      charge_[false] += bytes;
    if (!read->answered)
      answer(false, *read);
    read->answered = true;
    if (pins.s_rready) {
      beats_++;
      events_[kReadBytes] += bytes;
      reserved_beats_--;
      reads_.taken();
    }
  }
  read_offered_ = pins.s_rvalid && !pins.s_rready;

  uint64_t *stalls = &events_[kReadStalls];
  stalls[kCore] += read_offered_;
  stalls[kTokens] += available && !pins.s_rvalid;
  stalls[kSlots] += pins.s_arvalid && !slot;
  stalls[kRoom] += pins.s_arvalid && slot && !room;
  stalls[kMemory] += pins.m_arvalid && !pins.m_arready;
  stalls[kMemoryLate] += overdue;

  if (accepted) {
    reads_.accept(pins.s_ar);
    reads_.start(now_, read_jitter_.next(settings_));
    reserved_beats_ += pins.s_ar.len + 1;
    events_[kReads]++;
  }
  if (pins.m_arvalid && pins.m_arready)
    read_requests_.pop_front();
}

void Reference::checkWrites(const Pins &pins) {
  bool slot = writes_.inFlight() < kTransactions;
  expect("s_awready", slot, pins.s_awready);
  expect("s_wready", write_data_.size() < kWriteBeats && bursts_waiting_ < kTransactions && tokens(true),
         pins.s_wready);
  expect("m_bready", true, pins.m_bready);

  bool overdue = writes_.overdue(now_) && !pins.m_bvalid;
  if (pins.m_bvalid) {
    Data response;
    response.resp = pins.m_bresp;
    response.last = true;
    events_[kLate] += writes_.arrive(now_, response);
  }
  expect("s_bvalid", writes_.available(now_), pins.s_bvalid);
  if (pins.s_bvalid) {
    Transaction *write = writes_.choose(now_, pins.s_bid);
    expect("s_bid of a write that may be answered", 1, write != nullptr);
    expect("s_bresp", write->data.front().resp, pins.s_bresp);
    if (!write_offered_)
      answer(true, *write);
    if (pins.s_bready)
      writes_.taken();
  }
  write_offered_ = pins.s_bvalid && !pins.s_bready;

  if (pins.s_awvalid && pins.s_awready) {
    write_requests_.push_back(pins.s_aw);
    writes_.accept(pins.s_aw);
    events_[kWrites]++;
  }
  if (pins.s_wvalid && pins.s_wready) {
    write_data_.push_back(pins.s_w);
    unsigned bytes = static_cast<unsigned>(pins.s_w.strobes.count());
    charge_[true] += bytes;
    events_[kWriteBytes] += bytes;
    beats_++;
    bursts_waiting_ += pins.s_w.last;
  }
  // A write begins when it has both address and data.
  if (bursts_waiting_ && writes_.anyToStart()) {
    writes_.start(now_, write_jitter_.next(settings_));
    bursts_waiting_--;
  }
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

  uint64_t *stalls = &events_[kWriteStalls];
  stalls[kCore] += write_offered_;
  stalls[kTokens] += pins.s_wvalid && !tokens(true);
  stalls[kSlots] += pins.s_awvalid && !slot;
  stalls[kRoom] += pins.s_wvalid && tokens(true) && !pins.s_wready;
  stalls[kMemory] += (pins.m_awvalid && !pins.m_awready) || (pins.m_wvalid && !pins.m_wready);
  stalls[kMemoryLate] += overdue;
}

void Reference::chargeRegulator() {
  constexpr int64_t two_beats = int64_t(2 * kDataBytes) << 16;
  std::array<int64_t, 2> charge{};
  for (bool write : {false, true}) {
    bytes_[write] += charge_[write];
    charge[bucket(write)] += int64_t(charge_[write]) << 16;
  }
  for (unsigned i = 0; i < 2; i++) {
    bool limited = rate_ != 0 && (i == 0 || per_direction_);
    level_[i] = limited ? std::min(level_[i] + rate_, kFull) - charge[i] : kFull;
    // Whatever the device's own arithmetic: never more than a bucket and the beats of one cycle above the rate.
    burst_[i] = limited ? std::max<int64_t>(burst_[i] - rate_, 0) + charge[i] : 0;
    if (burst_[i] > kFull + two_beats)
      throw std::runtime_error("cycle " + std::to_string(now_) + ": more than the configured bandwidth");
  }
  charge_ = {};
}

void Reference::count() {
  events_[kIntegral] = in_flight_at_start_;
  events_[kBusy] = in_flight_at_start_ != 0;
  events_[kInflightMax] = in_flight_at_start_;
  events_[kCycles] = 1;
  for (unsigned i = 0; i < kCounters; i++) {
    bool least = i == kReadLatencyMin || i == kWriteLatencyMin;
    bool greatest = i == kInflightMax || i == kReadLatencyMax || i == kWriteLatencyMax;
    if (least && events_[i])
      live_[i] = std::min(live_[i], events_[i]);
    else if (greatest)
      live_[i] = std::max(live_[i], events_[i]);
    else if (!least)
      live_[i] += events_[i];
  }
  for (unsigned write = 0; write < 2; write++)
    for (unsigned bin = 0; bin < kBins; bin++)
      live_bins_[write][bin] += bin_events_[write][bin];
  events_.fill(0);
  bin_events_ = {};
}

uint64_t Reference::readRegister(uint16_t address) const {
  unsigned index = address / 8;
  if (index >= 8 && index < 8 + kCounters)
    return snapshot_[index - 8];
  if (index >= 64 && index < 128)
    return snapshot_bins_[index / kBins - 2][index % kBins];
  switch (address) {
  case 0x00:
    return kIdValue;
  case 0x10:
    return settings_.latency;
  case 0x18:
    return rate_;
  case 0x20:
    return settings_.model;
  case 0x28:
    return settings_.amplitude;
  case 0x30:
    return settings_.probability;
  case 0x38:
    return seed_;
  case 0x140:
    return histogram_base_;
  case 0x148:
    return histogram_shift_;
  case 0x150:
    return per_direction_;
  default:
    return 0;
  }
}

void Reference::writeRegister(uint16_t address, uint64_t value) {
  auto half_word = static_cast<uint16_t>(std::min<uint64_t>(value, UINT16_MAX));
  switch (address) {
  case 0x10:
    settings_.latency = static_cast<uint16_t>(std::min<unsigned>(half_word, kLatencyMax));
    break;
  case 0x18:
    rate_ = static_cast<uint32_t>(std::min<uint64_t>(value, UINT32_MAX));
    break;
  case 0x20:
    settings_.model = value < JitterSettings::kModels ? static_cast<unsigned>(value) : 0;
    break;
  case 0x28:
    settings_.amplitude = half_word;
    break;
  case 0x30:
    settings_.probability = half_word;
    break;
  case 0x38:
    seed_ = value;
    read_jitter_.seed(value);
    write_jitter_.seed(value);
    break;
  case 0x140:
    histogram_base_ = half_word;
    break;
  case 0x148:
    histogram_shift_ = static_cast<uint8_t>(std::min<uint64_t>(value, 15));
    break;
  case 0x150:
    per_direction_ = value != 0;
    break;
  }
  if (address >= 0x800)
    for (unsigned lane = 0; lane < 4; lane++)
      settings_.table[(address - 0x800) / 2 + lane] = static_cast<int16_t>(value >> 16 * lane);
}

void Reference::checkControl(const Pins &pins) {
  bool aligned = pins.control_addr % 8 == 0;
  if (pins.control_valid && !pins.control_write)
    expect(("register " + std::to_string(pins.control_addr)).c_str(), aligned ? readRegister(pins.control_addr) : 0,
           pins.control_rdata);
  bool write = pins.control_valid && pins.control_write && aligned;
  if (write && pins.control_addr == 8 && (pins.control_wdata & 2)) {
    snapshot_ = live_;
    snapshot_bins_ = live_bins_;
  }
  if (write && pins.control_addr == 8 && (pins.control_wdata & 1)) {
    live_ = cleared();
    live_bins_ = {};
  }
  count();
  if (write)
    writeRegister(pins.control_addr, pins.control_wdata);
}

void Reference::cycle(const Pins &pins) {
  in_flight_at_start_ = reads_.inFlight() + writes_.inFlight();
  checkReads(pins);
  checkWrites(pins);
  chargeRegulator();
  checkControl(pins);
  if (std::max(reads_.overtaken(), writes_.overtaken()) > kTransactions)
    throw std::runtime_error("cycle " + std::to_string(now_) + ": a ready transaction was passed over for too long");
  now_++;
}
