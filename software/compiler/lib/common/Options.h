// SPDX-License-Identifier: Apache-2.0
// Options of the plugin: clang -fplugin-arg-asyncmem-<name>[=<value>]. They travel with
// the module, as metadata: every pass reads there, in Clang, in `opt`, and on the
// copy of a trial.

#ifndef ASYNCMEM_OPTIONS_H
#define ASYNCMEM_OPTIONS_H

#include "common/Names.h"
#include "platform.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"
#include <cstdint>
#include <optional>
#include <string>

namespace asyncmem {

/// None leaves every marked loop serial; Static works on any CPU with
/// prefetch; Getfin and Bafin need a RISC-V core with the AMU. Check leaves the
/// loops serial that tasks could run, and lets them check what the pragma promises.
enum class SchedulerKind { None, Static, Getfin, Bafin, Check };

/// Fields: neighbouring bytes become one request. Sets: requests that do not
/// need each other's result are waited for together. Lines: what blocks of an inner loop
/// or several iterations want of a cache line is requested once.
struct CoalesceMode {
  bool Fields = true;
  bool Sets = true;
  bool Lines = true;
};

/// Some 25 us: long enough for the clock and for tasks to overlap, short beside
/// a loop that is worth a decision.
inline constexpr uint64_t DefaultAdaptCycles = 1 << 16;

/// Prefetching tasks: at which accesses they do not switch, see NearLines.cpp.
struct NearMode {
  bool Lines = true;
  bool Streams = true;
};

#ifdef ASYNCMEM_DEBUG
inline constexpr bool AlwaysVerify = true;
#else
inline constexpr bool AlwaysVerify = false;
#endif

struct Options {
  SchedulerKind Scheduler = SchedulerKind::Static;
  /// Number of tasks for every marked loop, 0 = what the pragma says.
  unsigned Tasks = 0;
  CoalesceMode Coalesce;
  /// Unset: what fits the target.
  std::optional<NearMode> Near;
  /// Values chosen by remote data are selected without a branch.
  bool BranchlessSelects = true;
  /// Recompute values instead of saving them where that is cheaper.
  bool MinimalContext = true;
  /// What lives across a suspension lies in memory that it allocates.
  bool FreshFrames = false;
  /// Cycles of one measurement that decides at run time whether a loop runs as
  /// tasks; 0: it does, always. Unset: as is best for the target.
  std::optional<uint64_t> AdaptCycles;
  /// Levels of a recursive callee that run inside a task.
  unsigned Levels = 64;
  /// With the AMU: fewer tasks live while polls always find something.
  bool AdaptTasks = false;
  /// Count switches and context operations in the compiled program.
  bool Count = false;
  /// Check the data and the IR between the steps of the second phase.
  bool Verify = AlwaysVerify;
  /// Virtual address of the SPM window.
  uint64_t SpmBase = NHG_SPM_BASE;

  /// Tasks of a loop whose pragma names no number. Those of the AMU start when there is
  /// nothing else to do, so they find theirs; tasks that prefetch all start at once.
  unsigned defaultTasks() const {
    return Scheduler == SchedulerKind::Static ? 64 : MaxTasks;
  }

  /// Reads one "name" or "name=value". \returns false and sets \p Error to one
  /// line that says what is accepted.
  bool parse(llvm::StringRef Arg, std::string &Error);

  /// What parse() has read, in its order.
  llvm::ArrayRef<std::string> given() const { return Given; }

private:
  llvm::SmallVector<std::string, 4> Given;

  bool set(llvm::StringRef Arg, std::string &Error);
};

llvm::StringRef schedulerName(SchedulerKind Kind);

/// Writes options into the module, in place of those it has.
class WriteOptionsPass : public llvm::PassInfoMixin<WriteOptionsPass> {
public:
  explicit WriteOptionsPass(const Options &Opts) : Opts(Opts) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  static bool isRequired() { return true; }

private:
  Options Opts;
};

/// \returns the options of \p M, the defaults if it has none. Ends the
/// compilation with a message if they cannot be read.
Options readOptions(const llvm::Module &M);

/// \returns true if \p M had options, which are gone now.
bool removeOptions(llvm::Module &M);

} // namespace asyncmem

#endif
