// SPDX-License-Identifier: Apache-2.0
//
// Snapshots of the counters at the marks of the region of interest, and the result file that holds them. What is computed from them
// is tools/nhg/result.py's, for the simulator and for the board.
#ifndef NHG_MEASUREMENT_H
#define NHG_MEASUREMENT_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cycles_by_pc.h"
#include "host_interface.h"
#include "options.h"
#include "platform.h"

namespace nhg {

using Counters = std::vector<uint64_t>; // in the order of the names given to Measurement

class Measurement {
public:
  static constexpr uint64_t kWindowCycles = 10000; // cycles; the region's busiest phase is one such window

  // `names` of all counters; far memory's in-flight integral and busy cycles are among them.
  explicit Measurement(std::vector<std::string> names);

  // Cycles of one cause, a number among the counters cycles_*. Not counted after the region's end.
  void attribute(uint64_t cycles, size_t cause, bool has_head, uint64_t pc) {
    if (!end_)
      cycles_.count(cycles, cause, has_head, pc);
  }

  void begin(Counters counters); // of the region; a second region replaces the first
  void end(Counters counters);
  // To be called every kWindowCycles after begin.
  void window(const Counters &counters);

  // Writes the result file in one step: it is complete or not there. Throws std::runtime_error.
  void write(const std::string &path, const Options &options, const HostInterface &host, const Counters &now) const;
  // Throws std::runtime_error when the result could not be written; removes an older one.
  static void prepare(const std::string &path);

private:
  std::vector<std::string> names_;
  size_t integral_, busy_; // indices
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<Counters> begin_, end_;
  Counters window_;
  uint64_t peak_integral_ = 0, peak_busy_ = 0;
  CyclesByPc cycles_;
};

} // namespace nhg
#endif
