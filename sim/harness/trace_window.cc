// SPDX-License-Identifier: Apache-2.0
#include "trace_window.h"

#include <algorithm>
#include <stdexcept>

#include "Vsim_top.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#include "watch.h"
#endif

namespace nhg {

#if VM_TRACE

struct TraceWindow::Files {
  std::unique_ptr<VerilatedFstC> waves;
  std::unique_ptr<Watch> pipeline;
};

namespace {

uint64_t plus(uint64_t zero, uint64_t cycles) { return cycles > UINT64_MAX - zero ? UINT64_MAX : zero + cycles; }

} // namespace

TraceWindow::TraceWindow(const Options &options, const std::string &golden_library, VerilatedContext &context)
    : options_(options), files_(std::make_unique<Files>()) {
  context.traceEverOn(!options_.trace_file.empty());
  if (!options_.pipeline_file.empty())
    files_->pipeline = std::make_unique<Watch>(golden_library);
}

TraceWindow::~TraceWindow() {
  try { // a run that failed is the one to look at
    if (files_->pipeline)
      files_->pipeline->close(cycle_ + 1);
  } catch (const std::runtime_error &error) {
    fprintf(stderr, "nhg-sim: %s\n", error.what());
  }
  if (files_->waves)
    files_->waves->close();
}

void TraceWindow::attach(Vsim_top &top) {
  if (!options_.trace_file.empty()) {
    files_->waves = std::make_unique<VerilatedFstC>();
    top.trace(files_->waves.get(), 99);
  }
  if (!options_.trace_region)
    openAt(0);
}

void TraceWindow::regionBegins(uint64_t cycle) {
  if (options_.trace_region && zero_ == UINT64_MAX)
    openAt(cycle);
}

void TraceWindow::openAt(uint64_t zero) {
  zero_ = zero;
  from_ = plus(zero, options_.trace_from);
  to_ = plus(zero, options_.trace_to);
}

// Files are opened with the window, so that nothing is left of one that the run does not reach.
void TraceWindow::cycleBegins(uint64_t cycle) {
  cycle_ = cycle;
  if (files_->pipeline)
    files_->pipeline->cycle = cycle;
  if (cycle != from_)
    return;
  if (files_->pipeline)
    files_->pipeline->open(options_.pipeline_file, from_, to_, zero_);
  if (files_->waves) {
    files_->waves->open(options_.trace_file.c_str());
    if (!files_->waves->isOpen())
      throw std::runtime_error("cannot write the waveform " + options_.trace_file);
    files_->waves->dump(2 * (cycle - zero_) + 1);
  }
}

void TraceWindow::dump(bool high) {
  const uint64_t shown = cycle_ + 1; // the registers have just taken the values of the next cycle
  if (files_->waves && files_->waves->isOpen() && shown <= to_)
    files_->waves->dump(2 * (shown - zero_) + !high);
}

uint64_t TraceWindow::nextNeeded(uint64_t cycle) const {
  if (!options_.trace || (zero_ != UINT64_MAX && cycle > to_))
    return UINT64_MAX;
  return files_->pipeline ? cycle : std::max(cycle, from_);
}

void TraceWindow::programEnded(uint64_t cycle) {
  if (options_.trace && zero_ == UINT64_MAX)
    throw std::runtime_error("the program has no region of interest, from whose beginning the window is counted");
  if (options_.trace && cycle <= from_)
    throw std::runtime_error("the window begins in cycle " + std::to_string(options_.trace_from) +
                             ", and the program ended in cycle " + std::to_string(cycle - zero_));
  if (files_->pipeline)
    files_->pipeline->close(cycle);
}

#else

TraceWindow::TraceWindow(const Options &options, const std::string &, VerilatedContext &) {
  if (options.trace)
    throw std::runtime_error("this model has no waveforms and no pipeline log; use nhg-sim-trace");
}

#endif

} // namespace nhg
