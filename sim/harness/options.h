// SPDX-License-Identifier: Apache-2.0
//
// Command line of nhg-sim; see usage() in options.cc.
#ifndef NHG_OPTIONS_H
#define NHG_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace nhg {

struct Options {
  std::string image; // ELF file or checkpoint
  std::string result; // JSON, empty: none
  std::string commit_log;
  std::string trace_file = "nhg-sim.vcd";
  std::string golden_library; // empty: beside the executable
  uint64_t latency_cycles = 2400;
  uint64_t bandwidth = 0; // bytes per cycle, 16.16 fixed point, 0 = unlimited
  uint64_t bandwidth_mode = 0; // of reads and writes together, or 1: of each
  uint64_t jitter_model = 0, jitter_amplitude = 0, jitter_probability = 0, jitter_seed = 0; // see docs/delayer.md
  std::vector<uint64_t> jitter_table; // words of the delayer's table, empty: none
  uint64_t max_cycles = 0; // 0: no limit
  uint64_t watchdog_cycles = 100000;
  uint64_t trace_from = 0, trace_to = UINT64_MAX;
  uint64_t seed = 0;
  uint64_t memory_stall_percent = 0;
  bool lockstep = false;
  bool trace = false;
};

// Throws std::runtime_error with one line when the command line is wrong. --help prints and exits.
Options parseOptions(int argc, char **argv);

} // namespace nhg
#endif
