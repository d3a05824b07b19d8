// SPDX-License-Identifier: Apache-2.0
// Everything is checked before anything changes: the whole way from the pragma
// to the tasks is tried on a copy of the module, which is thrown away. What is
// refused there loses its pragma before the real module is touched, so that it
// is compiled as if the plugin were off.

#ifndef ASYNCMEM_TRIAL_H
#define ASYNCMEM_TRIAL_H

#include "common/Reports.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Pass.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace asyncmem {

/// What decides, beside the options of the plugin, which passes a module meets.
struct Compilation {
  llvm::OptimizationLevel Level = llvm::OptimizationLevel::O2;
  /// Before the link, some passes are left to that.
  llvm::ThinOrFullLTOPhase Phase = llvm::ThinOrFullLTOPhase::None;
  /// What a program counts for a profile it counts by atomic operations.
  bool AtomicCounters = false;
};

/// \returns the pragmas of \p M to forget, and those whose loops lose their tags
/// and need pins. Repeats the trial with that until the others are accepted: a
/// loop that stays plain may let another one be optimised differently. \p M does
/// not change, nothing is reported.
TrialResult tryLoops(const llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                     llvm::PassBuilder &PB, const Compilation &Like);

} // namespace asyncmem

#endif
