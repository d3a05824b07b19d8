// SPDX-License-Identifier: Apache-2.0
// One marked loop: analyses it, turns it into tasks where it is, or says at the
// pragma why it stays serial.

#ifndef ASYNCMEM_LOOPSPLIT_H
#define ASYNCMEM_LOOPSPLIT_H

#include "common/Target.h"
#include "common/LoopTag.h"
#include "passes/LoopPreparation.h"
#include "passes/LoopVerdicts.h"
#include "passes/Verify.h"
#include <optional>

namespace asyncmem {

/// A loop that bore a mark.
struct MarkedLoop {
  llvm::BasicBlock *Header;
  LoopTagInfo Tag;
};

/// What splits the loops of a module have in common.
struct SplitContext {
  const Options &Opts;
  /// The phase ends there; each stage is shown to the observer.
  std::optional<Stage> Last;
  const StageObserver &Observer;
  LoopVerdicts &Verdicts;

  /// \returns 0 if the program does not choose between tasks and the plain loop.
  uint64_t adaptCycles(const Target &Machine) const;
  unsigned taskCount(const LoopTagInfo &Tag) const {
    return Opts.Tasks ? Opts.Tasks : Tag.Tasks;
  }
  /// A marked loop of \p F is inside another one, whose tasks run it: its pragma changes
  /// nothing; clauses would.
  void leaveInside(llvm::Function &F, const MarkedLoop &Inner) const;
};

class LoopSplit {
public:
  LoopSplit(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
            const SplitContext &Context)
      : F(F), FAM(FAM), Context(Context), Opts(Context.Opts),
        Verdicts(Context.Verdicts), Prepare(F, FAM, Opts),
        Machine(*F.getParent()) {}

  /// Splits \p L, in canonical form, with the marked loops \p Inside. \returns true if
  /// there are tasks; they are to be cleaned up then.
  bool run(llvm::Loop &L, const LoopTagInfo &Tag,
           llvm::ArrayRef<MarkedLoop> Inside);

  /// The policy's record of that loop; null without a choice.
  llvm::GlobalVariable *choice() const { return Choice; }

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const SplitContext &Context;
  const Options &Opts;
  LoopVerdicts &Verdicts;
  LoopPreparation Prepare;
  Target Machine;
  llvm::GlobalVariable *Choice = nullptr;

  bool reach(Stage Now, const TaskLoop &T, const LoopTagInfo &Tag) const;
  bool leaveStores(const TaskLoop &T, const LoopTagInfo &Tag);
  bool leaveShort(const llvm::Loop &L, const LoopTagInfo &Tag,
                  llvm::ArrayRef<MarkedLoop> Inside);
  void analyzeAnew(TaskLoop &T);
  void addChoice(TaskLoop &T, unsigned Tasks);
  bool build(TaskLoop &T, const LoopTagInfo &Tag, const CheckedLoop &Promised);
};

/// Tidies a function \p F with tasks.
void cleanUpTasks(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                  const Options &Opts);

} // namespace asyncmem

#endif
