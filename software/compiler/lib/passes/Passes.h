// SPDX-License-Identifier: Apache-2.0
// The passes of the plugin, and their places in Clang's pipeline and by name. The first phase
// is AsyncMarkPass (frontend/AsyncMark.h). How each works stands at the head of its source.

#ifndef ASYNCMEM_PASSES_H
#define ASYNCMEM_PASSES_H

#include "common/Reports.h"
#include "passes/Verify.h"
#include "llvm/Pass.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace asyncmem {

// AsyncSplit.cpp

/// The second phase.
class AsyncSplitPass : public llvm::PassInfoMixin<AsyncSplitPass> {
public:
  /// \p Trial takes what became of each loop; null: it is reported.
  explicit AsyncSplitPass(Outcomes *Trial = nullptr) : Trial(Trial) {}

  /// Stops behind \p Last, with the loops as they are then: to be looked at,
  /// or, Prepared, to go on.
  explicit AsyncSplitPass(Stage Last, Outcomes *Trial = nullptr,
                          StageObserver Observer = nullptr)
      : Trial(Trial), Last(Last), Observer(std::move(Observer)) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }

private:
  Outcomes *Trial;
  std::optional<Stage> Last;
  StageObserver Observer;
};

// LoopPrinter.cpp

/// print<asyncmem-...>: what the second phase knows of each marked loop, in text. It runs
/// on a copy, the module stays as it is.
class LoopPrinterPass : public llvm::PassInfoMixin<LoopPrinterPass> {
public:
  LoopPrinterPass(Stage Shown, llvm::raw_ostream &Out)
      : Shown(Shown), Out(Out) {}

  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }

private:
  Stage Shown;
  llvm::raw_ostream &Out;
};

// CodeParts.cpp

/// Marks, in the functions that resume a coroutine, what loads from its frame or
/// stores to it (what lives across suspensions, and where to go on) as context,
/// and the jump to the next coroutine as scheduler; in all functions, accesses to
/// the records of state machines as context: global variables with the attribute
/// annotate("coroamu.context"). Changes nothing but debug locations, also of what
/// has none there; without debug information it does nothing.
class HandwrittenPartsPass : public llvm::PassInfoMixin<HandwrittenPartsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);

  static bool isRequired() { return true; }
};

/// Lets every block of \p F add to each counter (Names.h) the number of its
/// instructions with the counter's tag, and takes the tags off.
void addContextCounters(llvm::Function &F);

/// Joins what the parts of tasks and their scheduler compute twice, and removes
/// what nobody needs. \p F has changed since it was analysed.
void simplifyTasks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Makes up, in a loop that stays as it is beside its tasks, for what hidden bases
/// and variables kept in place have kept the optimizer from.
void simplifyPlainLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

// Trial.cpp

/// The module as it was when this was made.
class ModuleSnapshot {
public:
  explicit ModuleSnapshot(const llvm::Module &M);

  /// Runs \p Passes on a copy of it. That has a context of its own, so that nothing of
  /// it reaches types, metadata or remarks of the original; what it would report is not.
  void run(llvm::ModulePassManager &Passes,
           llvm::ModuleAnalysisManager &MAM) const;

private:
  llvm::SmallVector<char, 0> Bitcode;
};

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

// Registration.cpp

/// Puts the two phases into the pipelines that \p PB builds, for a compilation like
/// \p Like.
void addToPipeline(llvm::PassBuilder &PB, const Compilation &Like = {});

/// Lets -passes= name each pass alone (software/compiler/README.md).
void registerPassNames(llvm::PassBuilder &PB);

} // namespace asyncmem

#endif
