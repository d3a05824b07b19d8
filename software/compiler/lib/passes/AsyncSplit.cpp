// SPDX-License-Identifier: Apache-2.0
// Finds the tagged loops, callers first, and has each one split where it is, or
// beside it.

#include "passes/AsyncSplit.h"
#include "common/Machine.h"
#include "common/Options.h"
#include "common/Names.h"
#include "frontend/Clauses.h"
#include "common/LoopTag.h"
#include "frontend/BodyMarks.h"
#include "passes/LoopPreparation.h"
#include "passes/LoopPipeline.h"
#include "passes/LoopVerdicts.h"
#include "passes/CodeParts.h"
#include "passes/Verify.h"
#include "transform/LoopParts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class FunctionSplitter {
public:
  FunctionSplitter(Function &F, FunctionAnalysisManager &FAM,
                   const SplitContext &Context)
      : F(F), FAM(FAM), Context(Context), Opts(Context.Opts),
        Verdicts(Context.Verdicts), Prepare(F, FAM, Opts),
        On(*F.getParent(), Opts) {}

  bool run() {
    bool Changed = false;
    while (Loop *L = Prepare.findTagged()) {
      Changed = true;
      if (keepFatalExits(*L)) {
        FAM.invalidate(F, PreservedAnalyses::none());
        continue;
      }
      LoopTagInfo Tag = *readTag(*L);
      Verdicts.see(Tag);
      removeTag(*L);
      if (Context.Last == Stage::Prepared) {
        Prepare.canonicalize(*L, Tag.Id);
        Prepared.push_back({L->getHeader(), Tag});
      } else {
        process(*L, Tag);
      }
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    for (const auto &[Header, Tag] : Prepared)
      tagLoop(*FAM.getResult<LoopAnalysis>(F).getLoopFor(Header), Tag);
    if (Context.Last != Stage::Prepared)
      promoteVariables(F, FAM);
    if (HasTasks && !On.mayHaveAmu() && On.adaptCycles())
      simplifyPlainLoops(F, FAM);
    return Changed;
  }

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  const SplitContext &Context;
  const Options &Opts;
  LoopVerdicts &Verdicts;
  LoopPreparation Prepare;
  Machine On;
  /// Headers of the loops that get their tags back.
  SmallVector<std::pair<BasicBlock *, LoopTagInfo>, 2> Prepared;
  bool HasTasks = false;

  void process(Loop &L, const LoopTagInfo &Tag) {
    if (const char *Why = On.whyUnfit()) {
      Verdicts.refuse(F, Tag, Why, DebugLoc());
      return;
    }
    bool Merged = false;
    SmallVector<MarkedLoop, 2> Inside;
    for (Loop *Inner : L.getLoopsInPreorder())
      if (Inner != &L)
        if (std::optional<LoopTagInfo> InnerTag = readTag(*Inner)) {
          Verdicts.see(*InnerTag);
          removeTag(*Inner);
          Merged |= InnerTag->Id == Tag.Id;
          Inside.push_back({Inner->getHeader(), *InnerTag});
        }
    if (Merged) {
      Verdicts.lose(&F, Tag);
      return;
    }
    HasTasks |= LoopPipeline(F, FAM, Context, Tag, Inside).run(L);
  }
};

/// Adds \p F to \p Order, behind what calls it: a callee becomes part of its
/// caller's loop as the source has it, before its own loops become tasks.
void addCallersFirst(Function &F, SmallPtrSetImpl<Function *> &Seen,
                     SmallVectorImpl<Function *> &Order) {
  if (F.isDeclaration() || !Seen.insert(&F).second)
    return;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      addCallersFirst(*Call->getFunction(), Seen, Order);
  Order.push_back(&F);
}

} // namespace

PreservedAnalyses AsyncSplitPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  const Options Opts = readOptions(M);
  LoopVerdicts Verdicts(Trial);
  bool Changed = Last != Stage::Prepared && removeStorePlaces(M);
  if (Opts.Scheduler != SchedulerKind::None) {
    const std::map<unsigned, Function *> Pinned = functionsWithPins(M);
    const SplitContext Context = {Opts, Last, Observer, Verdicts};
    auto Split = [&](Function &F) {
      Changed |= FunctionSplitter(F, FAM, Context).run();
    };
    SmallPtrSet<Function *, 16> Seen;
    SmallVector<Function *, 16> Order;
    for (Function &F : M)
      addCallersFirst(F, Seen, Order);
    // Once a loop of a callee is taken apart, that can be part of no other one.
    for (Function *F : Order)
      Changed |= LoopPreparation(*F, FAM, Opts).prepareFunction();
    for (Function *F : Order)
      Split(*F);
    for (Function &Made : M)
      if (!Made.isDeclaration() && !Seen.contains(&Made))
        Split(Made);
    if (Last == Stage::Prepared)
      return PreservedAnalyses::none();
    Verdicts.refuseWithoutRemote();
    Verdicts.refuseLost(M, Pinned);
  }
  for (StringRef Name : {FreshFunction, PinFunction})
    if (Function *F = M.getFunction(Name)) {
      Changed = true;
      F->eraseFromParent();
    }
  for (StringRef Name : {RemoteFunction, NearFunction, PromisedFunction})
    if (Function *Mark = M.getFunction(Name)) {
      Changed = true;
      for (User *U : make_early_inc_range(Mark->users()))
        cast<Instruction>(U)->eraseFromParent();
      Mark->eraseFromParent();
    }
  if (!Trial && Machine(M, Opts).usesAmu())
    Changed |= ami::startBeforeMain(M);
  Changed |= removeOptions(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
