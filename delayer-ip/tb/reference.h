// SPDX-License-Identifier: Apache-2.0
//
// Reference model of the delayer: predicts every output of every cycle from the history of its inputs.
#ifndef DELAYER_REFERENCE_H
#define DELAYER_REFERENCE_H

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "pins.h"

class Reference {
public:
  static constexpr unsigned kTransactions = 512, kReadBeats = 1024, kWriteBeats = 256, kBucketBytes = 128;

  // Compares the outputs of one cycle and takes its events. Throws std::runtime_error at the first difference.
  void cycle(const Pins &pins);

  uint64_t now() const { return now_; }
  uint64_t beats() const { return beats_; }
  uint64_t lastReadLatency() const { return read_latency_; }
  uint64_t lastWriteLatency() const { return write_latency_; }
  size_t readsInFlight() const { return reads_.size(); }
  size_t writesInFlight() const { return writes_.size(); }
  uint64_t bytes() const { return bytes_; }
  uint64_t counter(unsigned index) const { return live_[index]; }

private:
  // Times in cycles. `due` is when the transaction may be answered: latency after its start, in order, one a cycle.
  struct Read {
    Address request;
    uint64_t accepted, due;
    bool enforced, arrived = false, answered = false;
  };
  struct Write {
    uint32_t id;
    uint64_t started, due;
    bool has_address, has_data, enforced, arrived = false;
  };

  void expect(const char *what, uint64_t expected, uint64_t seen) const;
  void checkReads(const Pins &pins);
  void checkWrites(const Pins &pins);
  void startWrites();
  void chargeRegulator();
  void checkControl(const Pins &pins);
  bool tokens() const { return rate_ == 0 || level_ > 0; }
  unsigned offeredBytes() const { return 1u << reads_.front().request.size; }

  uint64_t now_ = 0, beats_ = 0, bytes_ = 0;
  uint16_t latency_ = 0;
  uint32_t rate_ = 0;
  int64_t level_ = int64_t(kBucketBytes) << 16; // 16.16 bytes
  int64_t burst_ = 0;                           // bytes above rate * time, 16.16; an independent bound
  unsigned charge_ = 0;

  std::deque<Read> reads_;
  std::deque<Address> read_requests_;
  std::deque<Data> read_data_;
  uint64_t last_read_due_ = 0, read_latency_ = 0;
  unsigned reserved_beats_ = 0;
  bool offered_ = false;
  size_t reads_arrived_ = 0;
  bool first_arrival_ = true;

  std::deque<Write> writes_;       // by number: address and data come in the same order
  std::deque<bool> early_data_;    // complete data ahead of their addresses
  std::deque<Address> write_requests_;
  std::deque<Data> write_data_;
  std::deque<uint8_t> responses_;
  uint64_t last_write_due_ = 0, write_latency_ = 0;
  size_t writes_with_data_ = 0, writes_arrived_ = 0;

  std::array<uint64_t, 8> live_{}, snapshot_{}, events_{};
  uint64_t in_flight_ = 0, in_flight_at_start_ = 0;
};

#endif
