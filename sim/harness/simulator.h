// SPDX-License-Identifier: Apache-2.0
//
// One simulated run: the Verilated sim_top, its memory, devices, commit monitor and measurement.
#ifndef NHG_SIMULATOR_H
#define NHG_SIMULATOR_H

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "commit_monitor.h"
#include "core_memory.h"
#include "host_interface.h"
#include "image.h"
#include "measurement.h"
#include "memory.h"
#include "options.h"
#include "sleep.h"
#include "time_jump.h"
#include "tohost.h"
#include "trace_window.h"
#include "uart_input.h"

class VerilatedContext;
class Vsim_top;

namespace nhg {

class Simulator {
public:
  // Throws std::runtime_error with one line on unusable input.
  explicit Simulator(const Options &options);
  ~Simulator();

  // Runs to the end and returns the exit code of the process (platform.toml); failures are told on stderr.
  int run();

  // For the DPI functions, which have no other way to their simulator.
  static Simulator &current();
  Memory &memory() { return memory_; }
  HostInterface &host() { return host_; }

private:
  struct Attribution { // of a cycle: Measurement::attribute()
    size_t cause = 0;
    bool has_head = false;
    uint64_t pc = 0;
  };

  void reset();
  void cycle();
  uint32_t memoryStalls();
  void offerUartByte();
  bool collectCommits();
  bool stopsHere();
  void warmL3();
  std::string difference() const;
  void handleHostEvents();
  Counters counters() const;
  Attribution attribution() const;
  void attribute(uint64_t cycles, const Attribution &to);
  uint64_t horizon() const;
  void jump();
  void checkJump();
  bool sleeps();
  int watchdog() const;
  void progress();
  bool exitRetired();
  std::string memoryDifference(CoreMemory &memory);
  bool compareMemory();
  int finish();

  Options options_;
  Image image_;
  Memory memory_;
  HostInterface host_;
  const std::vector<UartByte> uart_input_;
  size_t uart_next_ = 0; // of them
  Tohost tohost_;
  CommitMonitor commits_;
  Measurement measurement_;

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vsim_top> top_;
  TraceWindow trace_;
  std::unique_ptr<TimeJump> time_jump_; // null: none
  std::unique_ptr<Sleep> sleep_;        // made when nothing has retired for too long
  // Of a jump that is being checked: the cycle in which it ends, and the state there.
  uint64_t jump_end_ = 0;
  std::vector<uint8_t> jump_state_;
  std::vector<uint64_t> warm_lines_; // not yet in L3
  uint64_t cycle_ = 0;
  Attribution last_attribution_; // of the cycle before
  uint64_t exit_cycle_ = 0;      // in which the program wrote EXIT
  bool ended_ = false;           // that has retired, or --stop-after is reached:
  bool stopped_ = false;
  // Lines that instructions behind the program's end have accessed, which are not the golden model's any more.
  std::unordered_set<uint64_t> lines_after_end_;
  uint64_t next_window_ = UINT64_MAX;
  bool region_requested_ = false;
  std::vector<ControlWrite> control_writes_; // one a cycle
  std::mt19937_64 stall_random_;
  std::array<unsigned, 6> stall_cycles_{}; // left, by channel of sim_top's memory_stall
  std::chrono::steady_clock::time_point progress_time_;
  uint64_t progress_cycle_ = 0;
};

} // namespace nhg
#endif
