// SPDX-License-Identifier: Apache-2.0
//
// Follows the commit trace: counts retired instructions, keeps the last ones for messages, writes the commit log and
// compares with the golden model (sim/golden/golden.h, loaded at run time).
#ifndef NHG_COMMIT_MONITOR_H
#define NHG_COMMIT_MONITOR_H

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "golden.h"
#include "platform.h"
#include "uart_input.h"

namespace nhg {

class CommitMonitor {
public:
  CommitMonitor() = default;
  ~CommitMonitor();
  CommitMonitor(const CommitMonitor &) = delete;
  CommitMonitor &operator=(const CommitMonitor &) = delete;

  // Both throw std::runtime_error with one line when the file cannot be used.
  void openLog(const std::string &path);
  void openGolden(const std::string &library, const std::string &image, const std::vector<UartByte> &input);

  // One retired or trapped instruction, in program order. False: it differs from the golden model; see mismatch().
  bool commit(const golden_commit_t &record, uint64_t cycle);

  uint64_t instret() const { return instret_; } // trapped ones do not count
  uint64_t lastCycle() const { return last_cycle_; }
  uint64_t lastPc() const;
  bool goldenExited() const { return golden_done_; } // it has executed the program's EXIT store
  // Writes the golden model, if there is one, as a checkpoint. False: it cannot be one behind this instruction. Throws when the file cannot be written.
  bool writeCheckpoint(const std::string &path);
  // Behind the last instruction: what memory the golden model has touched, by its runs of pages, and a line of the core's that differs from its own, or "".
  std::vector<std::pair<uint64_t, uint64_t>> goldenMemory() const;
  std::string lineDifference(uint64_t address, const void *line);
  const std::string &mismatch() const { return mismatch_; }
  void printLast(FILE *out) const;

private:
  struct Entry {
    golden_commit_t record;
    uint64_t cycle;
  };
  static void print(FILE *out, const Entry &entry);
  // The mode and the CSRs that have changed since the last line of the log.
  void printPrivileged(const golden_commit_t &record);

  static constexpr unsigned kKept = 20;
  std::array<Entry, kKept> ring_{};
  uint64_t commits_ = 0, instret_ = 0, last_cycle_ = 0;
  FILE *log_ = nullptr;
  uint64_t logged_mode_ = 3;
  std::array<uint64_t, NHG_PRIVILEGED_CSR_COUNT> logged_csrs_{};
  std::string mismatch_;

  void *library_ = nullptr;
  golden_t *golden_ = nullptr;
  bool golden_done_ = false;
  decltype(&golden_step) step_ = nullptr;
  decltype(&golden_destroy) destroy_ = nullptr;
  decltype(&golden_visit_memory) visit_memory_ = nullptr;
  decltype(&golden_compare_line) compare_line_ = nullptr;
  decltype(&golden_checkpoint) checkpoint_ = nullptr;
};

} // namespace nhg
#endif
