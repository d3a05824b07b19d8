// SPDX-License-Identifier: Apache-2.0
//
// Reference model of jitter_source: the delays of one channel's transactions, in order.
#ifndef DELAYER_JITTER_H
#define DELAYER_JITTER_H

#include <algorithm>
#include <array>
#include <cstdint>

struct JitterSettings {
  enum Model : unsigned { kConstant, kUniform, kNormal, kTwoPoint, kTable, kModels };
  unsigned model = kConstant;
  uint16_t latency = 0, amplitude = 0, probability = 0; // cycles, cycles, 2^-16
  std::array<int16_t, 1024> table{};                    // offsets in cycles
};

class Jitter {
public:
  Jitter(uint64_t channel, unsigned most) : channel_(channel), most_(most) { seed(0); }

  void seed(uint64_t value) {
    uint64_t start = value ^ channel_;
    state_ = step(start ? start : 0x9e3779b97f4a7c15ull);
  }

  uint16_t next(const JitterSettings &s) {
    int64_t delay = s.latency + offset(s);
    state_ = step(state_);
    return static_cast<uint16_t>(std::clamp<int64_t>(delay, 0, most_));
  }

  // The generator's number after x.
  static uint64_t step(uint64_t x) {
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
  }

private:
  int64_t offset(const JitterSettings &s) const {
    int64_t amplitude = s.amplitude, high = static_cast<int64_t>(state_ >> 48), sum = 0;
    for (unsigned field = 0; field < 4; field++)
      sum += state_ >> 16 * field & 0xffff;
    switch (s.model) {
    case JitterSettings::kUniform:
      return (high * (2 * amplitude + 1) >> 16) - amplitude;
    case JitterSettings::kNormal:
      return (sum - 131070) * amplitude + 65536 >> 17;
    case JitterSettings::kTwoPoint:
      return high < s.probability ? amplitude : 0;
    case JitterSettings::kTable:
      return s.table[high >> 6];
    default:
      return 0;
    }
  }

  uint64_t channel_;
  unsigned most_; // cycles
  uint64_t state_ = 0;
};

#endif
