// SPDX-License-Identifier: Apache-2.0
#include "commit_monitor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <stdexcept>

namespace nhg {

using ull = unsigned long long;

CommitMonitor::~CommitMonitor() {
  if (log_)
    fclose(log_);
  if (golden_)
    destroy_(golden_);
  if (library_)
    dlclose(library_);
}

void CommitMonitor::openLog(const std::string &path) {
  log_ = fopen(path.c_str(), "w");
  if (!log_)
    throw std::runtime_error("cannot write the commit log " + path + ": " + strerror(errno));
}

void CommitMonitor::openGolden(const std::string &library, const std::string &image,
                               const std::vector<UartByte> &input) {
  library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_)
    throw std::runtime_error(std::string("cannot load the golden model: ") + dlerror() + "; build it with make golden");
  auto symbol = [&](const char *name) {
    void *address = dlsym(library_, name);
    if (!address)
      throw std::runtime_error("the golden model " + library + " has no " + name + "; build it again");
    return address;
  };
  auto create = reinterpret_cast<decltype(&golden_create)>(symbol("golden_create"));
  step_ = reinterpret_cast<decltype(&golden_step)>(symbol("golden_step"));
  destroy_ = reinterpret_cast<decltype(&golden_destroy)>(symbol("golden_destroy"));
  visit_memory_ = reinterpret_cast<decltype(&golden_visit_memory)>(symbol("golden_visit_memory"));
  compare_line_ = reinterpret_cast<decltype(&golden_compare_line)>(symbol("golden_compare_line"));
  checkpoint_ = reinterpret_cast<decltype(&golden_checkpoint)>(symbol("golden_checkpoint"));
  char err[512] = "";
  golden_ = create(image.c_str(), err, sizeof err);
  if (!golden_)
    throw std::runtime_error(std::string("golden model: ") + err);
  std::vector<uint8_t> bytes;
  for (const UartByte &byte : input)
    bytes.push_back(byte.byte);
  reinterpret_cast<decltype(&golden_uart_input)>(symbol("golden_uart_input"))(golden_, bytes.data(), bytes.size());
}

bool CommitMonitor::commit(const golden_commit_t &record, uint64_t cycle) {
  Entry &entry = ring_[commits_++ % kKept];
  entry = {record, cycle};
  last_cycle_ = cycle;
  if (!record.trap)
    instret_++;
  if (log_) {
    print(log_, entry);
    printPrivileged(record);
    fputc('\n', log_);
  }
  if (!golden_ || golden_done_)
    return true;
  char err[512] = "";
  int verdict = step_(golden_, &record, err, sizeof err);
  golden_done_ = verdict == GOLDEN_EXITED;
  if (verdict == GOLDEN_MISMATCH)
    mismatch_ = err;
  return verdict != GOLDEN_MISMATCH;
}

std::vector<std::pair<uint64_t, uint64_t>> CommitMonitor::goldenMemory() const {
  std::vector<std::pair<uint64_t, uint64_t>> runs;
  visit_memory_(
      golden_,
      [](void *to, uint64_t address, uint64_t bytes) {
        static_cast<decltype(runs) *>(to)->emplace_back(address, bytes);
      },
      &runs);
  return runs;
}

std::string CommitMonitor::lineDifference(uint64_t address, const void *line) {
  char err[512] = "";
  return compare_line_(golden_, address, line, err, sizeof err) == GOLDEN_OK ? "" : err;
}

bool CommitMonitor::writeCheckpoint(const std::string &path) {
  char err[512] = "";
  const int verdict = golden_ ? checkpoint_(golden_, path.c_str(), err, sizeof err) : GOLDEN_OK;
  if (verdict == GOLDEN_MISMATCH)
    throw std::runtime_error(err);
  return verdict == GOLDEN_OK;
}

uint64_t CommitMonitor::lastPc() const { return commits_ ? ring_[(commits_ - 1) % kKept].record.pc : 0; }

void CommitMonitor::print(FILE *out, const Entry &entry) {
  const golden_commit_t &r = entry.record;
  fprintf(out, "%10llu pc=%010llx inst=%08x", ull(entry.cycle), ull(r.pc), r.insn);
  constexpr uint64_t kInterrupt = uint64_t(1) << 63;
  if (r.trap && (r.cause & kInterrupt))
    fprintf(out, " trap interrupt=%llu", ull(r.cause & ~kInterrupt));
  else if (r.trap)
    fprintf(out, " trap cause=%llu tval=%llx", ull(r.cause), ull(r.tval));
  else if (r.rd_valid)
    fprintf(out, " %c%u=%016llx", r.rd_class == GOLDEN_FLOAT ? 'f' : 'x', r.rd, ull(r.rd_value));
  if (r.mem_valid)
    fprintf(out, " %s=%llx", r.mem_is_mmio ? "device" : "mem", ull(r.mem_addr));
}

void CommitMonitor::printPrivileged(const golden_commit_t &record) {
#define NHG_NAME(name, ...) #name,
  constexpr const char *names[] = {NHG_PRIVILEGED_CSRS(NHG_NAME)};
#undef NHG_NAME
  static_assert(std::size(names) == NHG_PRIVILEGED_CSR_COUNT);
  if (!record.csrs)
    return;
  const char *between = " ; ";
  if (record.privilege != logged_mode_)
    fprintf(log_, "%smode=%llu", std::exchange(between, " "), ull(record.privilege));
  logged_mode_ = record.privilege;
  for (size_t i = 0; i < std::size(names); i++)
    if (record.csrs[i] != logged_csrs_[i]) {
      fprintf(log_, "%s%s=%llx", std::exchange(between, " "), names[i], ull(record.csrs[i]));
      logged_csrs_[i] = record.csrs[i];
    }
}

void CommitMonitor::printLast(FILE *out) const {
  uint64_t shown = std::min<uint64_t>(commits_, kKept);
  fprintf(out, "last %llu instructions (cycle, pc, encoding, effect):\n", ull(shown));
  for (uint64_t i = commits_ - shown; i < commits_; i++) {
    print(out, ring_[i % kKept]);
    fputc('\n', out);
  }
}

} // namespace nhg
