// SPDX-License-Identifier: Apache-2.0
// Per pragma that is not refused: find the loop, carry out its clauses, tag it
// (asyncmem.loop), keep it in one piece. The marker call goes with the addresses
// it holds, which would otherwise keep the named variables in memory. Per
// __builtin_is_remote: let the mark follow every value the named variable takes.

#include "frontend/AsyncMark.h"
#include "common/Instructions.h"
#include "common/Options.h"
#include "common/Names.h"
#include "frontend/Clauses.h"
#include "common/LoopTag.h"
#include "frontend/MarkedLoop.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns every direct call to \p Name.
SmallVector<CallInst *, 8> callsTo(const Module &M, StringRef Name) {
  SmallVector<CallInst *, 8> Calls;
  if (Function *Callee = M.getFunction(Name))
    for (User *U : Callee->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        Calls.push_back(Call);
  return Calls;
}

/// \returns what the argument of \p Mark in place \p I says of the next one.
unsigned clauseOf(const CallInst *Mark, unsigned I) {
  return clauseKind(cast<ConstantInt>(Mark->getArgOperand(I))->getZExtValue());
}

/// \returns how many variables have clauses that change the loop.
unsigned numberOfChanges(const CallInst *Mark) {
  unsigned Count = 0;
  for (unsigned I = 2; I + 1 < Mark->arg_size(); I += 2)
    Count += clauseOf(Mark, I) < LossyUpdate;
  return Count;
}

/// Joins all jumps back to the header in one block: loops with several would
/// be taken for nested ones.
void joinLatches(Loop &L) {
  BasicBlock *Header = L.getHeader();
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  if (Latches.size() < 2)
    return;
  auto *Latch = BasicBlock::Create(Header->getContext(), "asyncmem.latch",
                                   Header->getParent());
  BranchInst::Create(Header, Latch)
      ->setDebugLoc(Latches.front()->getTerminator()->getDebugLoc());
  for (BasicBlock *From : Latches)
    From->getTerminator()->replaceSuccessorWith(Header, Latch);
  L.addBlockEntry(Latch);
}

/// \returns true if the function of \p Call takes part.
bool isOptimized(const CallInst *Call) {
  return !Call->getFunction()->hasOptNone();
}

/// Says at the first pragma of each refused number why its loop stays serial.
void reportRefused(ArrayRef<CallInst *> Marks, RefusedLoops Refused) {
  for (const CallInst *Mark : Marks) {
    auto Found = Refused.find(pragmaOf(Mark));
    if (Found == Refused.end())
      continue;
    for (const RefusalReason &Why : Found->second)
      if (Why.IsRemark)
        reportRemark(*Mark->getFunction(), [&] {
          return OptimizationRemarkMissed(PassName, "LeftPlain",
                                          Mark->getDebugLoc(),
                                          Mark->getParent())
                 << "loop stays as it is: " << Why.text();
        });
      else
        reportSerial(*Mark->getFunction(), Mark->getDebugLoc(), Why.text());
    if (Found->second.empty())
      reportRemark(*Mark->getFunction(), [&] {
        return OptimizationRemarkMissed(PassName, "InnerIgnored",
                                        Mark->getDebugLoc(), Mark->getParent())
               << "this pragma changes nothing: tasks of the marked loop "
                  "around it run its loop as a whole";
      });
    Refused.erase(Found);
  }
}

/// \returns those of \p Remotes that stand in a refused loop and in no other,
/// and name a variable: its values keep their marks.
SmallPtrSet<CallInst *, 8> marksOfRefused(ArrayRef<CallInst *> Marks,
                                          ArrayRef<CallInst *> Remotes,
                                          const RefusedLoops &Refused,
                                          FunctionAnalysisManager &FAM) {
  SmallPtrSet<CallInst *, 8> Inside, Needed;
  for (CallInst *Mark : Marks) {
    Function &F = *Mark->getFunction();
    Loop *L = findLoop(Mark, FAM.getResult<LoopAnalysis>(F),
                       FAM.getResult<DominatorTreeAnalysis>(F));
    for (CallInst *Remote : Remotes)
      if (L && Remote->getFunction() == Mark->getFunction() &&
          L->contains(Remote))
        (Refused.count(pragmaOf(Mark)) ? Inside : Needed).insert(Remote);
  }
  SmallPtrSet<CallInst *, 8> Result;
  for (CallInst *Remote : Inside) {
    auto *Load = dyn_cast<LoadInst>(Remote->getArgOperand(0));
    if (Load && isa<AllocaInst>(Load->getPointerOperand()) &&
        !Needed.contains(Remote))
      Result.insert(Remote);
  }
  return Result;
}

/// Erases \p Call and what only it needs, as if it had never been there.
void eraseCall(CallInst *Call) {
  Value *Pointer = Call->getArgOperand(0);
  Call->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Pointer);
}

/// Gives each loop an ID of its own, as simplification moves the ID of a loop
/// around it to a loop that has none.
void identifyLoops(LoopInfo &LI, LLVMContext &Context) {
  for (Loop *L : LI.getLoopsInPreorder())
    if (!L->getLoopID()) {
      MDNode *Id = MDNode::getDistinct(Context, {nullptr});
      Id->replaceOperandWith(0, Id);
      L->setLoopID(Id);
    }
}

/// Names the variables that the loop of \p Mark uses as the source does.
void nameVariables(CallInst *Mark, LoopInfo &LI, DominatorTree &DT) {
  auto Source = sourceLoops().find(pragmaOf(Mark));
  Loop *L = findLoop(Mark, LI, DT);
  if (Source == sourceLoops().end() || !L)
    return;
  for (BasicBlock *BB : L->blocks())
    for (Instruction &I : *BB) {
      Value *Place = getLoadStorePointerOperand(&I);
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->arg_size())
        Place = Call->getArgOperand(0);
      auto *Variable = dyn_cast_or_null<AllocaInst>(
          Place ? Place->stripInBoundsOffsets() : nullptr);
      if (!Variable || !I.getDebugLoc() ||
          Variable->getName().starts_with(VariablePrefix))
        continue;
      auto Name = Source->second.Variables.find(placeOf(I.getDebugLoc()));
      // The dot ends the name, whatever is put behind it to make it unique.
      if (Name != Source->second.Variables.end() && !Name->second.empty())
        Variable->setName(VariablePrefix + Name->second + ".");
    }
}

/// \returns the variable that the loop uses and that has been named \p Name.
AllocaInst *findVariable(const Loop &L, StringRef Name) {
  for (Instruction &I : L.getHeader()->getParent()->getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I)) {
      StringRef Own = Variable->getName();
      if (Own.consume_front(VariablePrefix) && Own.split('.').first == Name &&
          any_of(Variable->users(), [&](const User *U) {
            return L.contains(cast<Instruction>(U));
          }))
        return Variable;
    }
  return nullptr;
}

/// Carries out the clauses of \p Mark and tags its loop; \p Shared are variables
/// to share besides, by their names; \p Started as startBodyVariables needs it.
/// \returns null, or why that cannot be.
const char *markLoop(CallInst *Mark, LoopInfo &LI, DominatorTree &DT,
                     ArrayRef<std::string> Shared, bool Pinned,
                     SmallPtrSetImpl<const Instruction *> &Started) {
  auto *Tasks = dyn_cast<ConstantInt>(Mark->getArgOperand(1));
  Loop *L = Tasks ? findLoop(Mark, LI, DT) : nullptr;
  if (!L)
    return whyNotFound(Mark, LI);
  joinLatches(*L);
  DT.recalculate(*Mark->getFunction());
  auto Source = sourceLoops().find(pragmaOf(Mark));
  if (Source != sourceLoops().end() &&
      !startBodyVariables(*L, DT, !Source->second.LacksMarkers, Started))
    return "which of its variables live on to the next iteration is not known, "
           "beside a label or the result; give it a function of its own";
  for (unsigned I = 2; I + 1 < Mark->arg_size(); I += 2) {
    Value *Variable = Mark->getArgOperand(I + 1);
    if (const char *Why =
            applyClause(clauseOf(Mark, I), Variable, pragmaOf(Mark), *L, DT))
      return Why;
  }
  for (const std::string &Name : Shared)
    if (AllocaInst *Variable = findVariable(*L, Name))
      applyClause(SharedVar, Variable, pragmaOf(Mark), *L, DT);
  markIfUnmarked(*L);
  hideBases(*L);
  LoopTagInfo Tag = {pragmaOf(Mark), unsigned(Tasks->getZExtValue()),
                     numberOfChanges(Mark) != 0 || !Shared.empty(),
                     Mark->getDebugLoc()};
  if (Pinned)
    pinLoop(*L, Mark, Tag, DT, LI);
  else
    tagLoop(*L, Tag);
  Module &M = *Mark->getModule();
  auto Flag = [&](bool Set) {
    return ConstantAsMetadata::get(ConstantInt::getBool(M.getContext(), Set));
  };
  SmallVector<Metadata *, 5> Node = {
      ConstantAsMetadata::get(cast<ConstantInt>(Mark->getArgOperand(0))),
      ConstantAsMetadata::get(Mark->getFunction()), Flag(Pinned),
      Flag(Tag.HasClauses)};
  if (DILocation *Loc = Mark->getDebugLoc())
    Node.push_back(Loc);
  M.getOrInsertNamedMetadata(PragmaList)
      ->addOperand(MDNode::get(M.getContext(), Node));
  return nullptr;
}

/// \returns true if \p Clause of \p Variable needs the loop of \p Mark to use the
/// variable itself.
bool needsDirectUses(CallInst &Mark, unsigned Clause, AllocaInst &Variable,
                     FunctionAnalysisManager &FAM) {
  if (Clause != PrivateVar && Clause != FirstPrivateVar)
    return Clause < LossyUpdate;
  Function &F = *Mark.getFunction();
  Loop *L = findLoop(&Mark, FAM.getResult<LoopAnalysis>(F),
                     FAM.getResult<DominatorTreeAnalysis>(F));
  return L && isReachedFromOutside(Variable, *L);
}

/// Lets the function use itself what clauses of \p Mark name (ClauseAddresses.cpp).
void useVariablesDirectly(CallInst &Mark, FunctionAnalysisManager &FAM) {
  for (unsigned I = 2; I + 1 < Mark.arg_size(); I += 2) {
    auto *Variable = dyn_cast<AllocaInst>(Mark.getArgOperand(I + 1));
    if (Variable && needsDirectUses(Mark, clauseOf(&Mark, I), *Variable, FAM) &&
        useDirectly(*Variable, FAM))
      FAM.invalidate(*Variable->getFunction(), PreservedAnalyses::none());
  }
}

/// The nature of a pointer variable does not change (paper, section III-G): a
/// marked variable's mark is repeated for each value stored to it.
void followVariable(CallInst *Mark, SmallPtrSetImpl<Value *> &Done) {
  auto *Load = dyn_cast<LoadInst>(Mark->getArgOperand(0));
  Value *Variable = Load ? Load->getPointerOperand() : nullptr;
  if (!Variable || !isa<AllocaInst>(Variable) || !Done.insert(Variable).second)
    return;
  for (User *U : make_early_inc_range(Variable->users())) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getPointerOperand() != Variable ||
        isa<Constant>(Store->getValueOperand()))
      continue;
    auto *Copy = cast<CallInst>(Mark->clone());
    Copy->setArgOperand(0, Store->getValueOperand());
    Copy->setDebugLoc(Store->getDebugLoc());
    Copy->insertAfter(Store);
  }
}

/// Marks neither read what they are given nor keep it.
void describeMark(Function &F) {
  F.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  F.addFnAttr(Attribute::WillReturn);
  F.addFnAttr(Attribute::NoUnwind);
  F.addFnAttr(Attribute::NoSync);
  F.addFnAttr(Attribute::NoCallback);
  F.addFnAttr(Attribute::NoFree);
  F.addParamAttr(0, Attribute::ReadNone);
  // A variable may be marked before it has a value.
  F.removeParamAttr(0, Attribute::NoUndef);
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallBase>(U))
      Call->removeParamAttr(0, Attribute::NoUndef);
  if (F.getReturnType()->isVoidTy())
    F.addParamAttr(0, Attribute::NoCapture);
}

} // namespace

AsyncMarkPass::AsyncMarkPass(const TrialResult &Known, SharedVariables Shared,
                             Outcomes *Trial)
    : TryLoops([Known](Module &, ModuleAnalysisManager &) { return Known; }),
      Shared(std::move(Shared)), Trial(Trial) {}

bool AsyncMarkPass::hasOtherPragmas(const Module &M,
                                    const RefusedLoops &Refused) {
  return any_of(callsTo(M, MarkFunction), [&](const CallInst *Mark) {
    return isOptimized(Mark) && !Refused.count(pragmaOf(Mark));
  });
}

PreservedAnalyses AsyncMarkPass::run(Module &M, ModuleAnalysisManager &MAM) {
  SmallVector<CallInst *, 8> Marks = callsTo(M, MarkFunction);
  SmallVector<CallInst *, 8> Remotes = callsTo(M, RemoteFunction);
  if (Marks.empty() && Remotes.empty() && !M.getFunction(NearFunction))
    return PreservedAnalyses::all();
  stable_sort(Marks, [](const CallInst *A, const CallInst *B) {
    return pragmaOf(A) < pragmaOf(B);
  });

  bool Marking = TryLoops && readOptions(M).Scheduler != SchedulerKind::None &&
                 hasOtherPragmas(M, {});
  const auto [Refused, Pinned] = Marking ? TryLoops(M, MAM) : TrialResult();
  if (!Trial)
    reportRefused(Marks, Refused);
  Marking = Marking && hasOtherPragmas(M, Refused);
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SmallPtrSet<CallInst *, 8> Unused;
  if (Marking)
    Unused = marksOfRefused(Marks, Remotes, Refused, FAM);

  SmallPtrSet<const Instruction *, 8> Started;
  for (CallInst *Mark : Marks) {
    if (Marking && isOptimized(Mark) && !Refused.count(pragmaOf(Mark))) {
      Function &F = *Mark->getFunction();
      useVariablesDirectly(*Mark, FAM);
      auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
      auto &LI = FAM.getResult<LoopAnalysis>(F);
      if (Trial)
        nameVariables(Mark, LI, DT);
      auto Names = Shared.find(pragmaOf(Mark));
      const char *Why =
          markLoop(Mark, LI, DT,
                   Names == Shared.end() ? ArrayRef<std::string>()
                                         : ArrayRef(Names->second),
                   Pinned.count(pragmaOf(Mark)), Started);
      if (Why && Trial)
        Trial->refuse(pragmaOf(Mark), numberOfChanges(Mark), {Why, "", ""});
      else if (Why)
        reportLateRefusal(F, Mark->getDebugLoc(), Why);
      FAM.invalidate(F, PreservedAnalyses::none());
    }
    Mark->replaceAllUsesWith(ConstantInt::get(Mark->getType(), 0));
    Mark->eraseFromParent();
  }
  if (Marking)
    for (Function &F : M)
      if (!F.isDeclaration())
        identifyLoops(FAM.getResult<LoopAnalysis>(F), F.getContext());
  SmallPtrSet<Value *, 8> Done;
  for (StringRef Name : {RemoteFunction, NearFunction}) {
    Done.clear();
    for (CallInst *Mark : callsTo(M, Name)) {
      if (Marking && isOptimized(Mark))
        followVariable(Mark, Done);
      if (!Marking || !isOptimized(Mark) || Unused.contains(Mark))
        eraseCall(Mark);
    }
  }
  for (StringRef Name : {MarkFunction, RemoteFunction, NearFunction,
                         PromisedFunction, FreshFunction}) {
    Function *F = M.getFunction(Name);
    if (F && F->use_empty())
      F->eraseFromParent();
    else if (F)
      describeMark(*F);
  }
  return PreservedAnalyses::none();
}
