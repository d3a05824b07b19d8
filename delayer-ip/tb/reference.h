// SPDX-License-Identifier: Apache-2.0
//
// Reference model of the delayer: predicts every output of every cycle from the history of its inputs, except which one
// of several ready transactions is answered; that choice is checked. DELAYER_* are the device's parameters.
#ifndef DELAYER_REFERENCE_H
#define DELAYER_REFERENCE_H

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "channel.h"
#include "jitter.h"
#include "pins.h"

// Order of the counters and of the causes of stalls: delayer-ip/rtl/traffic_counters.sv, delay_{read,write}_channel.sv.
enum Counter {
  kReads,
  kWrites,
  kReadBytes,
  kWriteBytes,
  kIntegral,
  kBusy,
  kInflightMax,
  kLate,
  kReadLatencySum,
  kReadLatencyMin,
  kReadLatencyMax,
  kWriteLatencySum,
  kWriteLatencyMin,
  kWriteLatencyMax,
  kReadStalls,
  kWriteStalls = kReadStalls + 6,
  kCycles = kWriteStalls + 6,
  kCounters
};
enum Stall { kCore, kTokens, kSlots, kRoom, kMemory, kMemoryLate };

class Reference {
public:
  static constexpr unsigned kTransactions = DELAYER_TRANSACTIONS, kReadBeats = DELAYER_READ_BEATS,
                            kWriteBeats = DELAYER_WRITE_BEATS, kLatencyMax = (1u << DELAYER_LATENCY_BITS) - 1,
                            kBucketBytes = DELAYER_BUCKET_BYTES, kBins = 32;
  // What makes the writes' numbers others than the reads'; as a seed it would begin them with 0, where they would stay.
  static constexpr uint64_t kWriteNumbers = 0x5555555555555555;

  Reference() = default;
  // A device after its reset: only the jitter table is as before.
  explicit Reference(const std::array<int16_t, 1024> &table) { settings_.table = table; }
  const std::array<int16_t, 1024> &table() const { return settings_.table; }

  // Compares the outputs of one cycle and takes its events. Throws std::runtime_error at the first difference.
  void cycle(const Pins &pins);

  uint64_t now() const { return now_; }
  uint64_t beats() const { return beats_; }
  uint64_t bytes(bool write) const { return bytes_[write]; }
  const Channel &reads() const { return reads_; }
  const Channel &writes() const { return writes_; }
  uint64_t counter(unsigned index) const { return live_[index]; }
  uint64_t bin(bool write, unsigned index) const { return live_bins_[write][index]; }

private:
  using Bins = std::array<std::array<uint64_t, kBins>, 2>; // reads, writes

  void expect(const char *what, uint64_t expected, uint64_t seen) const;
  void checkReads(const Pins &pins);
  void checkWrites(const Pins &pins);
  void answer(bool write, const Transaction &transaction);
  void chargeRegulator();
  void checkControl(const Pins &pins);
  uint64_t readRegister(uint16_t address) const;
  void writeRegister(uint16_t address, uint64_t value);
  void count();
  // The bucket that reads or writes draw from.
  unsigned bucket(bool write) const { return write && per_direction_; }
  bool tokens(bool write) const { return rate_ == 0 || level_[bucket(write)] > 0; }

  uint64_t now_ = 0, beats_ = 0;
  std::array<uint64_t, 2> bytes_{}; // read, written
  JitterSettings settings_;
  Jitter read_jitter_{0, kLatencyMax}, write_jitter_{kWriteNumbers, kLatencyMax};
  uint64_t seed_ = 0;
  uint32_t rate_ = 0;
  bool per_direction_ = false;
  uint16_t histogram_base_ = 0;
  uint8_t histogram_shift_ = 0;

  // Buckets: of reads or of both, of writes alone
  static constexpr int64_t kFull = int64_t(kBucketBytes) << 16; // 16.16 bytes
  std::array<int64_t, 2> level_{kFull, kFull};
  std::array<int64_t, 2> burst_{};   // bytes above rate * time, 16.16; an independent bound
  std::array<unsigned, 2> charge_{}; // bytes of reads, of writes

  Channel reads_, writes_;
  std::deque<Address> read_requests_, write_requests_;
  unsigned reserved_beats_ = 0;
  bool read_offered_ = false, write_offered_ = false;
  std::deque<Data> write_data_;
  size_t bursts_waiting_ = 0; // with all data, ahead of their addresses

  std::array<uint64_t, kCounters> live_ = cleared(), snapshot_{}, events_{};
  Bins live_bins_{}, snapshot_bins_{}, bin_events_{};
  uint64_t in_flight_at_start_ = 0;

  static std::array<uint64_t, kCounters> cleared() {
    std::array<uint64_t, kCounters> counters{};
    counters[kReadLatencyMin] = counters[kWriteLatencyMin] = UINT32_MAX;
    return counters;
  }
};

#endif
