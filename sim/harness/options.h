// SPDX-License-Identifier: Apache-2.0
//
// Command line of nhg-sim; see usage() in options.cc.
#ifndef NHG_OPTIONS_H
#define NHG_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace nhg {

// To a register of the far memory's control: byte offset in its region.
struct ControlWrite {
  uint64_t offset;
  uint64_t value;
};

struct Options {
  std::string image;  // ELF file or checkpoint
  std::string result; // JSON, empty: none
  std::string commit_log;
  std::string trace_file, pipeline_file; // empty: none
  std::string golden_library;            // empty: beside the executable
  std::string uart_input;                // file, empty: none
  std::string warm_lines;                // file, empty: none
  std::vector<ControlWrite> far_control; // before the program starts, in this order
  std::string final_state;               // checkpoint, empty: none
  uint64_t max_cycles = 0;               // 0: no limit
  uint64_t stop_after = 0;               // instructions, 0: the program's own end
  uint64_t watchdog_cycles = 100000;
  uint64_t trace_from = 0, trace_to = UINT64_MAX;
  uint64_t seed = 0;
  uint64_t memory_stall_percent = 0;
  uint64_t lose_word = 0; // address, 0: none
  bool lockstep = false;
  bool time_jump = true;
  bool check_time_jump = false;
  bool time_jump_report = false;
  bool trace = false;
  bool trace_region = false; // trace_from and trace_to count from the beginning of the region of interest
};

// Throws std::runtime_error with one line when the command line is wrong. --help prints and exits.
Options parseOptions(int argc, char **argv);

} // namespace nhg
#endif
