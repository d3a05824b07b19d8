// SPDX-License-Identifier: Apache-2.0
#include "simulator.h"

#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <unistd.h>

#include "Vsim_top.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace nhg {

namespace {

Simulator *current_simulator = nullptr;

const char *const kProbeNames[] = {
#include "nhg_probes.inc"
    nullptr};

// Of counters(), in its order.
const char *const kCounterNames[] = {
#include "nhg_counters.inc"
};

// Index of a probe, if the core has it.
std::optional<size_t> probeIndex(const std::string &name) {
  for (size_t i = 0; kProbeNames[i]; i++)
    if (name == kProbeNames[i])
      return i;
  return {};
}

const std::optional<size_t> kCause = probeIndex("cycle_cause"), kHeadPc = probeIndex("rob_head_pc"),
                            kHeadValid = probeIndex("rob_head_valid");

std::string goldenLibrary(const Options &options) {
  if (!options.golden_library.empty())
    return options.golden_library;
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, length > 0 ? size_t(length) : 0);
  return self.substr(0, self.rfind('/') + 1) + "../golden/libgolden.so";
}

constexpr uint32_t kControlClear = 1;

// The directories of L3 have been cleared by then, one set a cycle, while a checkpoint is still being restored from the boot ROM.
constexpr uint64_t kWarmCycle = 2048;

std::vector<uint64_t> readWarmLines(const std::string &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<uint64_t> lines(file ? size_t(file.tellg()) / sizeof(uint64_t) : 0);
  if (!file.seekg(0) || !file.read(reinterpret_cast<char *>(lines.data()), std::streamsize(8 * lines.size())))
    throw std::runtime_error("--warm-lines " + path + ": cannot be read; nhg-iss --recent-lines writes one");
  return lines;
}

} // namespace

Simulator &Simulator::current() { return *current_simulator; }

Simulator::Simulator(const Options &options)
    : options_(options), image_(options.image),
      uart_input_(options.uart_input.empty() ? std::vector<UartByte>() : readUartInput(options.uart_input)),
      tohost_(image_.tohost()), measurement_({std::begin(kCounterNames), std::end(kCounterNames)}),
      context_(new VerilatedContext), trace_(options, goldenLibrary(options), *context_), stall_random_(options.seed),
      progress_time_(std::chrono::steady_clock::now()) {
  current_simulator = this;
  memory_.load(image_);
  if (!options_.result.empty())
    Measurement::prepare(options_.result);
  if (!options_.commit_log.empty())
    commits_.openLog(options_.commit_log);
  if (options_.lockstep)
    commits_.openGolden(goldenLibrary(options_), options_.image, uart_input_);
  if (!options_.warm_lines.empty()) {
    if (!image_.isCheckpoint())
      throw std::runtime_error("--warm-lines needs --checkpoint FILE: a program would have begun before L3 is ready");
    warm_lines_ = readWarmLines(options_.warm_lines);
  }
  context_->randReset(options_.seed ? 2 : 0);
  context_->randSeed(static_cast<int>(options_.seed));
  top_ = std::make_unique<Vsim_top>(context_.get());
  trace_.attach(*top_);
  if (options_.time_jump && !VM_COVERAGE) // which counts what is simulated
    time_jump_ = std::make_unique<TimeJump>(*top_, options_.time_jump_report);
}

Simulator::~Simulator() {
  if (time_jump_ && options_.time_jump_report)
    time_jump_->report(stderr, cycle_);
  current_simulator = nullptr;
}

// Every channel of every memory holds up on its own, for 1 to 32 cycles at a time.
uint32_t Simulator::memoryStalls() {
  uint32_t stalls = 0;
  for (size_t i = 0; i < stall_cycles_.size(); i++) {
    uint64_t draw = stall_random_();
    if (stall_cycles_[i])
      stall_cycles_[i]--;
    else if (draw % 100 < options_.memory_stall_percent)
      stall_cycles_[i] = 1 << (draw >> 32) % 6;
    stalls |= uint32_t(stall_cycles_[i] != 0) << i;
  }
  return stalls;
}

// The UART takes what is offered in this cycle.
void Simulator::offerUartByte() {
  const bool has_come = uart_next_ < uart_input_.size() && uart_input_[uart_next_].cycle <= cycle_;
  top_->uart_receive_valid = has_come && top_->uart_receive_ready && !top_->reset;
  if (top_->uart_receive_valid)
    top_->uart_receive_data = uart_input_[uart_next_++].byte;
}

void Simulator::cycle() {
  trace_.cycleBegins(cycle_);
  if (!control_writes_.empty()) {
    top_->host_control_write = 1;
    top_->host_control_addr = uint32_t(control_writes_.front().offset);
    top_->host_control_wdata = control_writes_.front().value;
    control_writes_.erase(control_writes_.begin());
  } else
    top_->host_control_write = 0;
  top_->memory_stall = options_.memory_stall_percent ? memoryStalls() : 0;
  offerUartByte();
  top_->clock = 1;
  top_->eval();
  trace_.dump(true);
  top_->clock = 0;
  top_->eval();
  trace_.dump(false);
}

void Simulator::reset() {
  top_->reset_pc = image_.resetPc();
  top_->reset = 1;
  for (int i = 0; i < 16; i++)
    cycle();
  top_->reset = 0;
  control_writes_ = options_.far_control;
}

Counters Simulator::counters() const {
  Counters counters = {cycle_, commits_.instret()};
  for (size_t i = 0; i < NHG_FAR_COUNTERS; i++)
    counters.push_back(top_->far_counters[i]);
  for (size_t i = 0; kProbeNames[i]; i++)
    counters.push_back(top_->probes[i]);
  return counters;
}

bool Simulator::collectCommits() {
  for (unsigned i = 0; top_->commit_valid >> i; i++) {
    if (!(top_->commit_valid >> i & 1))
      continue;
    golden_commit_t record{};
    record.pc = top_->commit_pc[i];
    record.insn = top_->commit_inst[i];
    record.trap = top_->commit_trap >> i & 1;
    record.rd_valid = top_->commit_writes >> i & 1;
    record.rd_class = top_->commit_rd_class[i];
    record.rd = top_->commit_rd[i];
    record.rd_value = top_->commit_rd_value[i];
    record.mem_valid = top_->commit_mem_valid >> i & 1;
    record.mem_is_mmio = top_->commit_mem_is_mmio >> i & 1;
    record.mem_addr = top_->commit_mem_addr[i];
    record.fetch_first = top_->commit_fetch_first[i];
    record.fetch_last = top_->commit_fetch_last[i];
    record.cause = top_->commit_cause[i];
    record.tval = top_->commit_tval[i];
    record.privilege = top_->privileged_mode;
    record.time = top_->privileged_time;
    record.uart_received = top_->uart_received;
    record.uart_received_at_access = top_->uart_received_at_access;
    record.csrs = i == 0 ? &top_->privileged_csrs[0] : nullptr;
    if (ended_) { // younger instructions do not belong to the program any more
      if (record.mem_valid)
        lines_after_end_.insert(record.mem_addr / CoreMemory::kLineBytes);
      continue;
    }
    const std::optional<uint64_t> exit_code = tohost_.commit(record);
    if (exit_code) {
      host_.exited = true;
      host_.exit_value = *exit_code;
    }
    if (!commits_.commit(record, cycle_) || (commits_.goldenExited() && !host_.exited))
      return false;
    stopped_ = !host_.exited && stopsHere();
    ended_ = stopped_ || exit_code || (host_.exited && commits_.goldenExited());
  }
  return true;
}

void Simulator::warmL3() {
  if (commits_.lastPc() - NHG_BOOT_ROM_BASE >= NHG_BOOT_ROM_SIZE)
    throw std::runtime_error("--warm-lines: the program has begun already");
  CoreMemory(*top_, memory_).warmL3(warm_lines_);
  warm_lines_.clear();
}

// --stop-after: between two instructions, as soon as the golden model can be a checkpoint.
bool Simulator::stopsHere() {
  if (!options_.stop_after || commits_.instret() < options_.stop_after)
    return false;
  return options_.final_state.empty() || commits_.writeCheckpoint(options_.final_state);
}

std::string Simulator::difference() const {
  return commits_.goldenExited() ? "the golden model ended the program, the core has not" : commits_.mismatch();
}

void Simulator::handleHostEvents() {
  host_.event = false;
  if (host_.roi_begin) {
    host_.roi_begin = false;
    region_requested_ = true;
    control_writes_.push_back({NHG_FAR_CONTROL_CTRL - NHG_FAR_CONTROL_BASE, kControlClear});
  }
  if (host_.roi_end) {
    host_.roi_end = false;
    measurement_.end(counters());
    next_window_ = UINT64_MAX;
  }
}

// What the next cycle will be attributed to.
Simulator::Attribution Simulator::attribution() const {
  return kCause ? Attribution{top_->probes[*kCause], top_->probes[*kHeadValid] != 0, top_->probes[*kHeadPc]}
                : Attribution{};
}

void Simulator::attribute(uint64_t cycles, const Attribution &to) {
  if (kCause)
    measurement_.attribute(cycles, to.cause, to.has_head, to.pc);
}

// So many cycles from here on nothing is to be done outside the design.
uint64_t Simulator::horizon() const {
  if (host_.exited || region_requested_ || !warm_lines_.empty() || !control_writes_.empty() ||
      options_.memory_stall_percent)
    return 0;
  uint64_t end = std::min(next_window_ - 1, trace_.nextNeeded(cycle_));
  if (cycle_ <= commits_.lastCycle() + options_.watchdog_cycles) // later it sleeps
    end = std::min(end, commits_.lastCycle() + options_.watchdog_cycles);
  if (options_.max_cycles)
    end = std::min(end, options_.max_cycles - 1);
  if (uart_next_ < uart_input_.size() && top_->uart_receive_ready)
    end = std::min(end, std::max<uint64_t>(uart_input_[uart_next_].cycle, 1) - 1);
  return end > cycle_ ? end - cycle_ : 0;
}

void Simulator::jump() {
  if (jump_end_)
    return checkJump();
  if (top_->commit_valid)
    return time_jump_->busy();
  const uint64_t cycles = time_jump_->quiet(horizon());
  if (!cycles)
    return;
  if (options_.check_time_jump) {
    jump_end_ = cycle_ + cycles + 1;
    jump_state_ = time_jump_->foresee(cycles, [this] { cycle(); });
    return;
  }
  // They are like the last one, or like the last two in turn.
  attribute(cycles - cycles / 2, attribution());
  attribute(cycles / 2, last_attribution_);
  time_jump_->skip(cycles);
  cycle_ += cycles;
}

void Simulator::checkJump() {
  std::string wrong = cycle_ < jump_end_ && top_->commit_valid ? "an instruction retires" : "";
  if (cycle_ == jump_end_)
    wrong = time_jump_->differs(jump_state_);
  if (!wrong.empty())
    throw std::runtime_error("time jump to cycle " + std::to_string(jump_end_) + " would be wrong: in cycle " +
                             std::to_string(cycle_) + " this differs: " + wrong);
  if (cycle_ == jump_end_)
    jump_end_ = 0;
}

bool Simulator::sleeps() {
  if (!top_->privileged_sleeps)
    return false;
  if (!sleep_)
    sleep_ = std::make_unique<Sleep>(*top_);
  return sleep_->willEnd(uart_next_ < uart_input_.size() && top_->uart_receive_ready);
}

int Simulator::watchdog() const {
  fprintf(stderr, "nhg-sim: watchdog: no instruction retired for %" PRIu64 " cycles at cycle %" PRIu64 ": ",
          cycle_ - commits_.lastCycle(), cycle_);
  if (kHeadValid && !top_->probes[*kHeadValid])
    fprintf(stderr, "ROB empty");
  else if (kHeadPc)
    fprintf(stderr, "stuck ROB head pc=0x%" PRIx64, top_->probes[*kHeadPc]);
  else
    fprintf(stderr, "ROB head unknown");
  fprintf(stderr, ", last retired pc=0x%" PRIx64 "; rerun nhg-sim-trace with --trace-from %" PRIu64 "\n",
          commits_.lastPc(), commits_.lastCycle());
  return NHG_SIMULATOR_EXIT_WATCHDOG;
}

void Simulator::progress() {
  auto now = std::chrono::steady_clock::now();
  double elapsed = std::chrono::duration<double>(now - progress_time_).count();
  bool terminal = isatty(STDERR_FILENO);
  if (elapsed < (terminal ? 1.0 : 10.0))
    return;
  fprintf(stderr, "%snhg-sim: cycle %" PRIu64 ", %" PRIu64 " instructions, %.1f kHz%s", terminal ? "\r" : "", cycle_,
          commits_.instret(), double(cycle_ - progress_cycle_) / elapsed / 1000, terminal ? "   " : "\n");
  progress_time_ = now;
  progress_cycle_ = cycle_;
}

// A device store is performed before it retires: in lock-step the golden model reaches the end a few cycles later.
bool Simulator::exitRetired() {
  constexpr uint64_t kRetireCycles = 1000;
  if (!exit_cycle_)
    exit_cycle_ = cycle_;
  return !options_.lockstep || commits_.goldenExited() || cycle_ - exit_cycle_ > kRetireCycles;
}

// The first difference between memory as the core sees it and the golden model's, in all that either has touched.
std::string Simulator::memoryDifference(CoreMemory &memory) {
  memory.look();
  std::set<uint64_t> pages = memory.pages();
  for (const auto &[from, bytes] : commits_.goldenMemory())
    for (uint64_t page = from; page < from + bytes; page += Memory::kPageBytes)
      pages.insert(page);
  for (uint64_t page : pages)
    for (uint64_t address = page; address < page + Memory::kPageBytes; address += CoreMemory::kLineBytes)
      if (!lines_after_end_.count(address / CoreMemory::kLineBytes))
        if (const std::string text = commits_.lineDifference(address, memory.line(address).data()); !text.empty())
          return text;
  return "";
}

// Stores may still be on their way when the program ends. Waits for them as long as for an instruction.
bool Simulator::compareMemory() {
  CoreMemory memory(*top_, memory_);
  uint64_t pause = 128; // what the store buffer needs
  for (uint64_t waited = 0;; waited += pause, pause *= 2) {
    for (uint64_t i = 0; i < pause; i++, cycle_++) {
      cycle();
      collectCommits();
    }
    if (options_.lose_word && !waited) {
      memory.look();
      fprintf(stderr, "nhg-sim: the word at 0x%" PRIx64 ", in %s, is lost\n", options_.lose_word,
              memory.lose(options_.lose_word));
    }
    const std::string difference = memoryDifference(memory);
    if (difference.empty())
      return true;
    if (waited < options_.watchdog_cycles)
      continue;
    fprintf(stderr, "nhg-sim: mismatch after the program's end at cycle %" PRIu64 ": %s\n", exit_cycle_,
            difference.c_str());
    return false;
  }
}

int Simulator::finish() {
  const Counters at_end = counters();
  trace_.programEnded(cycle_);
#if VM_COVERAGE // nhg-sim-coverage: a file of this run in the folder that sim/tests/line_coverage.py names
  if (const char *folder = getenv("NHG_COVERAGE"))
    context_->coveragep()->write((std::string(folder) + "/" + std::to_string(getpid()) + ".dat").c_str());
#endif
  if (options_.lockstep && !commits_.goldenExited() && !stopped_) {
    fprintf(stderr, "nhg-sim: mismatch at cycle %" PRIu64 ": the core ended the program, the golden model has not\n",
            cycle_);
    commits_.printLast(stderr);
    return NHG_SIMULATOR_EXIT_MISMATCH;
  }
  if (options_.lockstep && !compareMemory())
    return NHG_SIMULATOR_EXIT_MISMATCH;
  if (!options_.result.empty())
    measurement_.write(options_.result, options_, host_, at_end);
  return host_.exit_value < uint64_t(NHG_SIMULATOR_EXIT_FIRST_OWN) ? int(host_.exit_value)
                                                                   : NHG_SIMULATOR_EXIT_FIRST_OWN - 1;
}

int Simulator::run() {
  constexpr uint64_t kProgressMask = (1 << 14) - 1;
  reset();
  for (uint64_t simulated = 1;; simulated++) {
    last_attribution_ = attribution();
    attribute(1, last_attribution_);
    cycle();
    cycle_++;
    if (cycle_ == kWarmCycle && !warm_lines_.empty())
      warmL3();
    if (top_->commit_valid && !collectCommits()) {
      fprintf(stderr, "nhg-sim: mismatch at cycle %" PRIu64 ": %s\n", cycle_, difference().c_str());
      commits_.printLast(stderr);
      return NHG_SIMULATOR_EXIT_MISMATCH;
    }
    if (region_requested_ && control_writes_.empty()) { // the counters have just been cleared
      region_requested_ = false;
      measurement_.begin(counters());
      trace_.regionBegins(cycle_);
      next_window_ = cycle_ + Measurement::kWindowCycles;
    }
    if (host_.event)
      handleHostEvents();
    if (stopped_ || (host_.exited && exitRetired()))
      return finish();
    if (cycle_ >= next_window_) {
      measurement_.window(counters());
      next_window_ += Measurement::kWindowCycles;
    }
    if (cycle_ - commits_.lastCycle() > options_.watchdog_cycles && !sleeps())
      return watchdog();
    if (options_.max_cycles && cycle_ >= options_.max_cycles) {
      fprintf(stderr,
              "nhg-sim: the program did not end within %" PRIu64 " cycles (last retired pc=0x%" PRIx64
              "); raise --max-cycles or look for an endless loop\n",
              options_.max_cycles, commits_.lastPc());
      return NHG_SIMULATOR_EXIT_MAX_CYCLES;
    }
    if (!(simulated & kProgressMask))
      progress();
    if (time_jump_)
      jump();
  }
}

} // namespace nhg
