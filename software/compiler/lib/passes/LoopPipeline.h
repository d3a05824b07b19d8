// SPDX-License-Identifier: Apache-2.0
// What happens to one marked loop, from its tag to tasks and their scheduler: the list in
// LoopPipeline::run(). What a step does stands at the head of its file.

#ifndef ASYNCMEM_LOOPPIPELINE_H
#define ASYNCMEM_LOOPPIPELINE_H

#include "common/LoopTag.h"
#include "common/Reports.h"
#include "common/Machine.h"
#include "common/TaskLoop.h"
#include "passes/LoopVerdicts.h"
#include "passes/Verify.h"
#include "requests/RequestPlan.h"
#include <optional>

namespace asyncmem {

/// A loop that bore a mark.
struct MarkedLoop {
  llvm::BasicBlock *Header;
  LoopTagInfo Tag;
};

/// What the loops of a module have in common.
struct SplitContext {
  const Options &Opts;
  /// The phase ends there; each stage is shown to the observer.
  std::optional<Stage> Last;
  const StageObserver &Observer;
  LoopVerdicts &Verdicts;
};

class LoopPipeline {
public:
  /// For the loop of \p Tag in \p F, which has the marked loops \p Inside.
  LoopPipeline(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
               const SplitContext &Context, const LoopTagInfo &Tag,
               llvm::ArrayRef<MarkedLoop> Inside)
      : F(F), FAM(FAM), Context(Context), Opts(Context.Opts),
        Verdicts(Context.Verdicts), On(*F.getParent(), Context.Opts), Tag(Tag),
        Inside(Inside) {}

  /// Splits \p Marked. \returns true if there are tasks.
  bool run(llvm::Loop &Marked);

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  const SplitContext &Context;
  const Options &Opts;
  LoopVerdicts &Verdicts;
  const Machine On;
  const LoopTagInfo &Tag;
  llvm::ArrayRef<MarkedLoop> Inside;

  template <class Analysis> typename Analysis::Result &get() {
    return FAM.getResult<Analysis>(F);
  }

  /// \returns what \p Look finds out, which must not change the function.
  template <class Analysis> auto look(Analysis Look) {
    UnchangedFunction Check(F, Opts.Verify);
    return Look();
  }

  bool reach(Stage Now, const TaskLoop &T) const;
  bool choosesForGood() const;
  void splitBlockCompares(llvm::Loop &L);
  void protectUpdates(TaskLoop &T);
  CoalesceAnalyses analyses();
  bool leaveStores(const TaskLoop &T);
  bool leaveShort(const llvm::Loop &L);
  void leaveInside();
  void analyzeAnew(TaskLoop &T);
  llvm::GlobalVariable *addChoice(TaskLoop &T, unsigned Tasks);
};

} // namespace asyncmem

#endif
