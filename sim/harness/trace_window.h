// SPDX-License-Identifier: Apache-2.0
//
// What nhg-sim-trace writes of a window of cycles: waveforms (FST) and the pipeline log (sim/watch). In nhg-sim it is empty.
#ifndef NHG_TRACE_WINDOW_H
#define NHG_TRACE_WINDOW_H

#include <cstdint>
#include <memory>
#include <string>

#include "options.h"

class Vsim_top;
class VerilatedContext;

namespace nhg {

// Cycle 0 is the simulation's first one, or with Options::trace_region the first one of the region of interest; both files count from it.
#if VM_TRACE
class TraceWindow {
public:
  // Before the model. All but dump() throw std::runtime_error with one line when a file cannot be written.
  TraceWindow(const Options &options, const std::string &golden_library, VerilatedContext &context);
  ~TraceWindow();

  void attach(Vsim_top &top);
  void regionBegins(uint64_t cycle);
  void cycleBegins(uint64_t cycle);
  // After each edge of the clock: what holds in the cycle from there to the next rising edge.
  void dump(bool high);
  // The run ends before this cycle. Also throws when the window was never reached.
  void programEnded(uint64_t cycle);
  // The next cycle, from this one on, that must be simulated. The pipeline log follows everything from the start.
  uint64_t nextNeeded(uint64_t cycle) const;

private:
  struct Files;
  void openAt(uint64_t zero);

  const Options options_;
  std::unique_ptr<Files> files_;
  uint64_t cycle_ = 0, zero_ = UINT64_MAX, from_ = UINT64_MAX, to_ = 0;
};
#else
class TraceWindow {
public:
  TraceWindow(const Options &options, const std::string &golden_library, VerilatedContext &context);
  void attach(Vsim_top &) {}
  void regionBegins(uint64_t) {}
  void cycleBegins(uint64_t) {}
  void dump(bool) {}
  void programEnded(uint64_t) {}
  uint64_t nextNeeded(uint64_t) const { return UINT64_MAX; }
};
#endif

} // namespace nhg
#endif
