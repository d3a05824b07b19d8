// SPDX-License-Identifier: Apache-2.0
// Finds the tagged loops, callers first, and has each one split where it is, or
// beside it.

#include "passes/AsyncSplit.h"
#include "choice/ApartLoop.h"
#include "common/AmuInstructions.h"
#include "common/ModuleOptions.h"
#include "common/Names.h"
#include "common/Target.h"
#include "frontend/Clauses.h"
#include "frontend/LoopPins.h"
#include "frontend/LoopTag.h"
#include "frontend/StorePlaces.h"
#include "passes/FormSplit.h"
#include "passes/LoopPreparation.h"
#include "passes/LoopSplit.h"
#include "passes/LoopVerdicts.h"
#include "passes/Simplification.h"
#include "passes/Verify.h"
#include "transform/FatalExits.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns null if \p Kind can be used for \p M, else what is missing.
const char *checkTarget(const Options &Opts, const Module &M) {
  if (Opts.usesAmu() && !Target(M).mayHaveAmu())
    return "the getfin and bafin schedulers need the target riscv64; use "
           "-fplugin-arg-asyncmem-sched=static";
  return nullptr;
}

class FunctionSplitter {
public:
  FunctionSplitter(Function &F, FunctionAnalysisManager &FAM,
                   const SplitContext &Context)
      : F(F), FAM(FAM), Context(Context), Opts(Context.Opts),
        Verdicts(Context.Verdicts), Prepare(F, FAM, Opts),
        Machine(*F.getParent()) {}

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
    if (HasPlainLoops && !(HasTasks && Machine.mayHaveAmu()))
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
  Target Machine;
  /// Headers of the loops that get their tags back.
  SmallVector<std::pair<BasicBlock *, LoopTagInfo>, 2> Prepared;
  /// Of those that are tasks elsewhere, and of others.
  bool HasPlainLoops = false, HasTasks = false;

  void process(Loop &L, const LoopTagInfo &Tag) {
    if (const char *Why = checkTarget(Opts, *F.getParent())) {
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
    Prepare.canonicalize(L, Tag.Id);
    if (hasForms() && splitBeside(L, Tag))
      for (const MarkedLoop &Inner : Inside)
        Context.leaveInside(F, Inner);
    else if (!Opts.usesAmu() || !choosesBeside() || !splitApart(L, Tag, Inside))
      splitInPlace(L, Tag, Inside);
  }

  /// What follows the choice at run time has the loop as it is, too. On a trial the
  /// verdict is all, and who looks at a stage sees the loop itself.
  bool choosesBeside() const {
    return !Verdicts.isTrial() && !Context.Last && !Context.Observer &&
           Context.adaptCycles(Machine);
  }

  /// With prefetches NH-G has one form, and its plain loop is another one: it has some.
  bool hasForms() const {
    return Opts.Scheduler == SchedulerKind::Static && !Machine.mayHaveAmu() &&
           choosesBeside();
  }

  /// The choice is in a function of its own, too, if that can be.
  bool splitBeside(Loop &L, const LoopTagInfo &Tag) {
    const FormRequest Wanted = {Context.taskCount(Tag),
                                Context.adaptCycles(Machine), Tag.Pragma};
    std::optional<SplitForms> Forms = splitBesideApart(L, Wanted);
    if (!Forms) {
      Labels Before = Opts.Verify ? labelsWithoutJump(F) : Labels();
      Forms = splitIntoForms(L, FAM, Opts, Wanted, /*IsAsked=*/false);
      if (Opts.Verify)
        verifyTasks(F, Before);
      if (!Forms->Functions.empty())
        cleanUpTasks(F, FAM, Opts);
    }
    if (Forms->Functions.empty())
      return false;
    Verdicts.findRemote(Tag);
    HasPlainLoops = true;
    for (Function *Form : Forms->Functions)
      finishTasks(*Form);
    return true;
  }

  /// \returns nothing if the loop's own function has to have the choice.
  std::optional<SplitForms> splitBesideApart(Loop &L,
                                             const FormRequest &Wanted) {
    std::unique_ptr<ApartLoop> Apart =
        ApartLoop::create(L, FAM, /*HasTrial=*/false);
    if (!Apart)
      return std::nullopt;
    auto &LI = FAM.getResult<LoopAnalysis>(Apart->copy());
    SplitForms Forms =
        splitIntoForms(*LI.getLoopFor(Apart->twin(L.getHeader())), FAM, Opts,
                       Wanted, /*IsAsked=*/true);
    // The copy knows less of where iterations start.
    if (Forms.Functions.empty())
      return std::nullopt;
    if (Function *Code = Apart->finish(Forms.Choice)) {
      Code->setName(Apart->copy().getName() + ".choice");
      cleanUpTasks(*Code, FAM, Opts);
      simplifyPlainLoops(*Code, FAM);
      return Forms;
    }
    Apart.reset();
    for (Function *Form : Forms.Functions)
      Form->eraseFromParent();
    return std::nullopt;
  }

  void finishTasks(Function &Code) {
    // What jumps to its labels was checked where it was built.
    if (Opts.Verify)
      verifyTasks(Code, labelsWithoutJump(Code));
    cleanUpTasks(Code, FAM, Opts);
  }

  /// \returns false if the loop has to be split where it is.
  bool splitApart(Loop &L, const LoopTagInfo &Tag,
                  ArrayRef<MarkedLoop> Inside) {
    std::unique_ptr<ApartLoop> Apart =
        ApartLoop::create(L, FAM, /*HasTrial=*/!Opts.AdaptCycles);
    if (!Apart)
      return false;
    Function &Copy = Apart->copy();
    SmallVector<MarkedLoop, 2> InsideCopy;
    for (const MarkedLoop &Inner : Inside)
      InsideCopy.push_back({Apart->twin(Inner.Header), Inner.Tag});
    LoopSplit Split(Copy, F, FAM, Context, Apart.get());
    auto &LI = FAM.getResult<LoopAnalysis>(Copy);
    Loop *Twin = LI.getLoopFor(Apart->twin(L.getHeader()));
    if (!Split.run(*Twin, Tag, InsideCopy))
      return !Split.isLeft();
    Function *Code = Apart->finish(Split.choice());
    if (!Code)
      return false;
    HasPlainLoops = true;
    finishTasks(*Code);
    return true;
  }

  void splitInPlace(Loop &L, const LoopTagInfo &Tag,
                    ArrayRef<MarkedLoop> Inside) {
    if (!LoopSplit(F, F, FAM, Context).run(L, Tag, Inside))
      return;
    HasTasks = true;
    cleanUpTasks(F, FAM, Opts);
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
  for (StringRef Name : {RemoteFunction, PromisedFunction})
    if (Function *Mark = M.getFunction(Name)) {
      Changed = true;
      for (User *U : make_early_inc_range(Mark->users()))
        cast<Instruction>(U)->eraseFromParent();
      Mark->eraseFromParent();
    }
  if (Opts.usesAmu() && !Trial)
    Changed |= ami::startBeforeMain(M);
  Changed |= removeOptions(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
