// SPDX-License-Identifier: Apache-2.0
//
// Counters over the region of interest and the result file. Without a region the whole run is measured.
#ifndef NHG_MEASUREMENT_H
#define NHG_MEASUREMENT_H

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "host_interface.h"
#include "options.h"

namespace nhg {

// Order of the delayer's counters (delayer-ip/rtl/traffic_counters.sv).
enum FarCounter { kReads, kWrites, kReadBytes, kWriteBytes, kInflightIntegral, kBusyCycles, kInflightMax, kLate };
constexpr size_t kFarCounters = 27;

// All counters at the end of one cycle.
struct Sample {
  uint64_t cycle = 0, instret = 0;
  std::array<uint64_t, kFarCounters> far{};
  std::vector<uint64_t> probes;
  std::chrono::steady_clock::time_point wall = std::chrono::steady_clock::now();
};

class Measurement {
public:
  static constexpr uint64_t kWindowCycles = 10000; // cycles; the "busiest phase" is one such window

  explicit Measurement(std::vector<std::string> probe_names) : probe_names_(std::move(probe_names)) {}

  void start(const Sample &sample); // of the program
  void begin(const Sample &sample); // of the region; a second region replaces the first
  void end(const Sample &sample);
  bool inRegion() const { return in_region_; }
  // To be called every kWindowCycles after begin.
  void window(const Sample &sample);

  // Writes the result file in one step: it is complete or not there. Throws std::runtime_error.
  void write(const std::string &path, const Options &options, const HostInterface &host, const Sample &last) const;
  // Throws std::runtime_error when the result could not be written; removes an older one.
  static void prepare(const std::string &path);

private:
  std::vector<std::string> probe_names_;
  Sample start_, begin_, end_, window_;
  bool in_region_ = false, has_region_ = false;
  uint64_t peak_integral_ = 0, peak_busy_ = 0;
};

} // namespace nhg
#endif
