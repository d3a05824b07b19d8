// SPDX-License-Identifier: Apache-2.0
// A copy of a module to try something on, which is then thrown away. It has a
// context of its own, so that nothing of it reaches types, metadata or remarks of
// the original; what it would report is not.

#ifndef ASYNCMEM_TRIAL_H
#define ASYNCMEM_TRIAL_H

#include "common/Reports.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Pass.h"
#include "llvm/Passes/OptimizationLevel.h"
#include <memory>

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace asyncmem {

/// The module as it was when this was made.
class ModuleSnapshot {
public:
  explicit ModuleSnapshot(const llvm::Module &M);

  /// Runs \p Passes on a copy of it.
  void run(llvm::ModulePassManager &Passes,
           llvm::ModuleAnalysisManager &MAM) const;

private:
  llvm::SmallVector<char, 0> Bitcode;

  std::unique_ptr<llvm::Module> copy(llvm::LLVMContext &Context) const;
};

// Everything is checked before anything changes: the whole way from the pragma
// to the tasks is tried on a copy of the module, which is thrown away. What is
// refused there loses its pragma before the real module is touched, so that it
// is compiled as if the plugin were off.

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
