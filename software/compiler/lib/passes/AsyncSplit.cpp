// SPDX-License-Identifier: Apache-2.0
// Second phase, after most of the scalar optimisations: turns every tagged loop
// into tasks, one an iteration, and the scheduler that runs them.
//
// Algorithm: functions are prepared, callers first, since a callee becomes part of its
// caller's loop as the source has it. Then each tagged loop, outer before inner, goes through
// the pipeline (LoopPipeline.h). At the end each pragma has its verdict, and marks go.
//
//   for (...) sum += table[key[i]]; !tag   ->   Init, Launch, body, Return, Finalize

#include "passes/Passes.h"
#include "common/Machine.h"
#include "common/Names.h"
#include "frontend/Clauses.h"
#include "passes/LoopPipeline.h"
#include "transform/Transforms.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class FunctionSplitter {
public:
  FunctionSplitter(Function &F, FunctionAnalysisManager &FAM,
                   const SplitContext &Context)
      : F(F), FAM(FAM), Context(Context), Opts(Context.Opts),
        Verdicts(Context.Verdicts), On(*F.getParent(), Opts) {}

  bool run() {
    bool Changed = false;
    while (Loop *L = findTagged(F, FAM)) {
      Changed = true;
      if (keepFatalExits(*L)) {
        FAM.invalidate(F, PreservedAnalyses::none());
        continue;
      }
      LoopTagInfo Tag = *readTag(*L);
      Verdicts.see(Tag);
      removeTag(*L);
      if (Context.Last == Stage::Prepared) {
        canonicalize(*L, Tag.Id, FAM);
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
    HasTasks |= splitLoop(L, Tag, Inside, FAM, Context);
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
      Changed |= prepareFunction(*F, FAM, Opts);
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
