// SPDX-License-Identifier: Apache-2.0
#include "traffic.h"

#include <algorithm>

Address Traffic::randomAddress() {
  Address address;
  address.id = below(phase.ids);
  address.addr = random_() & 0xfffffffffull;
  if (phase.lines_only) {
    address.addr &= ~(2ull * kDataBytes - 1);
    address.len = 1;
    address.size = kDataSize;
    return address;
  }
  address.size = static_cast<uint8_t>(chance(128) ? kDataSize : below(kDataSize + 1u));
  unsigned kind = below(8);
  if (kind == 0) { // FIXED
    address.burst = 0;
    address.len = static_cast<uint8_t>(below(std::min(16u, phase.most_beats)));
  } else if (kind == 1 && phase.most_beats > 1) { // WRAP
    address.burst = 2;
    address.len = static_cast<uint8_t>((2u << below(4)) - 1);
    address.addr = address.addr >> address.size << address.size;
  } else { // INCR, within 4 KiB
    unsigned first = static_cast<unsigned>(address.addr & 4095) >> address.size;
    unsigned room = (4096u >> address.size) - first;
    address.len = static_cast<uint8_t>(below(std::min({room, phase.most_beats, 256u})));
  }
  return address;
}

Strobes Traffic::randomStrobes() {
  Strobes strobes;
  for (unsigned bit = 0; bit < kDataBytes; bit += 64)
    strobes |= Strobes(random_()) << bit;
  return strobes;
}

uint64_t Traffic::answerTime(uint64_t &previous) {
  uint64_t time = now_ + std::max(1u, phase.memory_latency + (phase.memory_jitter ? below(phase.memory_jitter) : 0));
  return previous = std::max(previous, time);
}

void Traffic::drive(Pins &pins) {
  pins.control_valid = control_pending || chance(phase.control_rate);
  pins.control_write = control_pending && control_write;
  pins.control_addr = control_addr;
  pins.control_wdata = control_wdata;
  if (pins.control_valid && !control_pending) {
    pins.control_write = chance(64);
    unsigned counters_and_bins = 8 * below(128);
    pins.control_addr = static_cast<uint16_t>(pins.control_write ? 8 : chance(240) ? counters_and_bins : below(4096));
    pins.control_wdata = below(4);
  }
  control_pending = false;

  if (!hold_ar_ && chance(phase.read_rate)) {
    ar_ = randomAddress();
    hold_ar_ = true;
  }
  pins.s_arvalid = hold_ar_;
  pins.s_ar = ar_;

  if (addresses_to_send_.size() < std::max(4u, phase.data_lead) && data_to_send_.size() < 4 &&
      chance(phase.write_rate)) {
    Address address = randomAddress();
    addresses_to_send_.push_back({address, address.len + 1u});
    data_to_send_.push_back({address, address.len + 1u});
  }
  if (!hold_aw_ && !addresses_to_send_.empty() && (!phase.data_lead || chance(phase.address_rate))) {
    aw_ = addresses_to_send_.front().address;
    hold_aw_ = true;
  }
  pins.s_awvalid = hold_aw_;
  pins.s_aw = aw_;
  bool addressed = bursts_begun_ < addresses_sent_ + hold_aw_;
  if (!hold_w_ && !data_to_send_.empty() && (beat_ || phase.data_lead || addressed) && chance(phase.data_rate)) {
    if (beat_ == 0)
      bursts_begun_++;
    w_ = {random_(), true, phase.lines_only || chance(200) ? ~Strobes() : randomStrobes(), 0,
          ++beat_ == data_to_send_.front().beats};
    hold_w_ = true;
  }
  pins.s_wvalid = hold_w_;
  pins.s_w = w_;
  pins.s_rready = chance(phase.rready_rate);
  pins.s_bready = chance(phase.bready_rate);

  pins.m_arready = chance(phase.memory_ready_rate);
  pins.m_awready = chance(phase.memory_ready_rate);
  pins.m_wready = chance(phase.memory_ready_rate);
  pins.m_rvalid =
      !read_answers_.empty() && read_answers_.front().time <= now_ && (hold_r_ || chance(phase.memory_valid_rate));
  if (pins.m_rvalid)
    pins.m_r = read_answers_.front().data;
  pins.m_bvalid =
      !write_answers_.empty() && write_answers_.front().time <= now_ && (hold_b_ || chance(phase.memory_valid_rate));
  if (pins.m_bvalid)
    pins.m_bresp = write_answers_.front().data.resp;
}

void Traffic::observe(const Pins &pins) {
  hold_ar_ = pins.s_arvalid && !pins.s_arready;
  if (pins.s_awvalid && pins.s_awready) {
    hold_aw_ = false;
    addresses_to_send_.pop_front();
    addresses_sent_++;
  }
  if (pins.s_wvalid && pins.s_wready) {
    hold_w_ = false;
    if (w_.last) {
      data_to_send_.pop_front();
      beat_ = 0;
    }
  }

  hold_r_ = pins.m_rvalid && !pins.m_rready;
  if (pins.m_rvalid && pins.m_rready)
    read_answers_.pop_front();
  hold_b_ = pins.m_bvalid && !pins.m_bready;
  if (pins.m_bvalid && pins.m_bready)
    write_answers_.pop_front();

  if (pins.m_arvalid && pins.m_arready) {
    uint64_t time = answerTime(last_read_answer_);
    for (unsigned beat = 0; beat <= pins.m_ar.len; beat++)
      read_answers_.push_back(
          {time, {random_(), true, {}, static_cast<uint8_t>(chance(16) ? 2 : 0), beat == pins.m_ar.len}});
  }
  if (pins.m_awvalid && pins.m_awready)
    writes_addressed_.push_back(true);
  if (pins.m_wvalid && pins.m_wready && pins.m_w.last)
    writes_complete_.push_back(true);
  while (!writes_addressed_.empty() && !writes_complete_.empty()) {
    writes_addressed_.pop_front();
    writes_complete_.pop_front();
    Data data;
    data.resp = static_cast<uint8_t>(chance(16) ? 2 : 0);
    write_answers_.push_back({answerTime(last_write_answer_), data});
  }
  now_++;
}
