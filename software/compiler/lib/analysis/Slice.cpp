// SPDX-License-Identifier: Apache-2.0

#include "analysis/Slice.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/ProfileData/InstrProf.h"

using namespace llvm;
using namespace asyncmem;

Slicer::Slicer(const TaskLoop &T, const IterationGraph &Graph, AAResults &AA,
               const SmallPtrSetImpl<PHINode *> &Sequential, bool Strict)
    : T(T), Graph(Graph), AA(AA), Sequential(Sequential), Strict(Strict) {
  for (BasicBlock *BB : T.Blocks) {
    if (endsFatally(*BB))
      Checks.push_back(BB);
    for (const Instruction &I : *BB)
      addScopes(I, Declared);
  }
}

const char *Slicer::add(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !T.L->contains(I) || Instructions.contains(I))
    return nullptr;
  Culprit = I;
  Hint = "";
  if (auto *Phi = dyn_cast<PHINode>(I))
    return addPhi(*Phi);
  if ((Strict || LocalOnly) && T.isRemote(I))
    return "depends on remote data";
  if (const char *Why = checkEffects(*I))
    return Why;
  Instructions.insert(I);
  for (Value *Op : I->operands())
    if (const char *Why = add(Op))
      return Why;
  if (Strict)
    return nullptr;
  if (!isSafeToSpeculativelyExecute(I))
    addChecks(*I);
  return addControl(I->getParent());
}

/// Adds the checks in front of \p I that end the program: what they rule out must
/// not happen at launch. Those that need remote data are left to the iteration.
void Slicer::addChecks(const Instruction &I) {
  for (BasicBlock *BB : Checks) {
    if ((BB != I.getParent() && !Graph.leads(BB, I.getParent())) ||
        !Tried->insert(BB).second)
      continue;
    Slicer With(*this);
    With.LocalOnly = true;
    if (!With.addFatal(*BB))
      Instructions.insert(With.Instructions.begin(), With.Instructions.end());
  }
}

const char *Slicer::addFatal(BasicBlock &BB) {
  for (Instruction &I : BB) {
    if (!isFatal(I))
      continue;
    Instructions.insert(&I);
    for (Value *Op : I.operands())
      if (const char *Why = add(Op))
        return Why;
  }
  return addControl(&BB);
}

const char *Slicer::addExits() {
  if (T.leavesAtLatch())
    return add(T.ContinueCondition);
  for (const ExitEdge &E : T.Exits) {
    if (const char *Why = addTerminator(E.From))
      return Why;
    if (const char *Why = addControl(E.From))
      return Why;
  }
  return nullptr;
}

const char *Slicer::addPhi(PHINode &Phi) {
  if (Phi.getParent() == T.Header)
    return Sequential.contains(&Phi) ? nullptr
                                     : "depends on another carried value";
  if (Strict)
    return "depends on the control flow of the iteration";
  Instructions.insert(&Phi);
  for (unsigned I = 0; I != Phi.getNumIncomingValues(); ++I) {
    if (const char *Why = add(Phi.getIncomingValue(I)))
      return Why;
    BasicBlock *From = Phi.getIncomingBlock(I);
    if (From->getTerminator()->getNumSuccessors() > 1)
      if (const char *Why = addTerminator(From))
        return Why;
    if (const char *Why = addControl(From))
      return Why;
  }
  return addControl(Phi.getParent());
}

const char *Slicer::addTerminator(BasicBlock *BB) {
  Instruction *End = BB->getTerminator();
  Culprit = End;
  Hint = "";
  if (!Instructions.insert(End).second)
    return nullptr;
  if (!isa<BranchInst, SwitchInst>(End))
    return "depends on a computed jump";
  for (Value *Op : End->operands())
    if (const char *Why = add(Op))
      return Why;
  // A loop that a check keeps from going on for ever.
  if (isRepeated(*End))
    addChecks(*End);
  return addControl(BB);
}

const char *Slicer::addControl(const BasicBlock *BB) {
  for (BasicBlock *Controller : Graph.controllers(BB))
    if (const char *Why = addTerminator(Controller))
      return Why;
  return nullptr;
}

const char *Slicer::checkEffects(Instruction &I) {
  if (I.mayHaveSideEffects())
    return "is computed by an operation with effects";
  if (!I.mayReadFromMemory())
    return nullptr;
  bool Writes = false, Restrict = true;
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &Other : *BB)
      if (Other.mayWriteToMemory() && !isFatal(Other) && mayChange(Other, I)) {
        Writes = true;
        Restrict &= canBeRestrict(Other, I);
      }
  if (Writes && isInPlace(I))
    return "follows from a variable that a clause lets iterations change in "
           "any order";
  Hint = Restrict ? RestrictHint : LockHint;
  return Writes ? "is read from memory that the loop may write" : nullptr;
}

/// \returns true if \p I writes a counter that --coverage or the like has added,
/// of which no pointer of the program knows.
static bool countsForProfile(const Instruction &I) {
  const Value *Pointer = accessPointer(&I);
  return Pointer && all_of(underlyingObjects(Pointer), [](const Value *Object) {
           return isa<GlobalVariable>(Object) &&
                  (Object->getName().starts_with("__llvm_gcov_ctr") ||
                   Object->getName().starts_with(
                       getInstrProfCountersVarPrefix()));
         });
}

/// \returns true if \p Writer and \p Reader use pointers from before the loop,
/// different ones, of which none is restrict.
bool Slicer::canBeRestrict(const Instruction &Writer,
                           const Instruction &Reader) const {
  auto BaseOf = [&](const Instruction &I) -> const Value * {
    const Value *Pointer = accessPointer(&I);
    if (!Pointer || I.hasMetadata(LLVMContext::MD_noalias))
      return nullptr;
    const Value *Base = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
    auto *A = dyn_cast<Argument>(Base);
    bool IsPlain = T.L->isLoopInvariant(Base) && !(A && A->hasNoAliasAttr());
    return IsPlain ? Base : nullptr;
  };
  const Value *Written = BaseOf(Writer), *Read = BaseOf(Reader);
  return Written && Read && Written != Read;
}

/// \returns true if \p I may run several times in an iteration.
bool Slicer::isRepeated(const Instruction &I) const {
  return any_of(*T.L, [&](const Loop *Inner) { return Inner->contains(&I); });
}

/// \returns true if \p Writer may change what \p Reader reads, which launch reads
/// before it: in another iteration of an inner loop, too, places differ from those
/// that alias analysis compares.
bool Slicer::mayChange(const Instruction &Writer, const Instruction &Reader) {
  if (countsForProfile(Writer))
    return false;
  const bool Repeated = isRepeated(Writer) || isRepeated(Reader);
  if (auto *Call = dyn_cast<CallBase>(&Reader))
    return Repeated && isa<StoreInst, AnyMemIntrinsic>(Writer)
               ? isRefSet(AA.getModRefInfo(Call, anyPlace(Writer, Declared)))
               : isModSet(AA.getModRefInfo(&Writer, Call));
  auto *Load = dyn_cast<LoadInst>(&Reader);
  if (!Load)
    return true;
  MemoryLocation Place =
      Repeated ? anyPlace(*Load, Declared) : MemoryLocation::get(Load);
  // What an atomic operation orders besides are iterations, which have no order.
  std::optional<MemoryLocation> Target = MemoryLocation::getOrNone(&Writer);
  if (Writer.isAtomic() && Target &&
      (isa<LoadInst>(Writer) || AA.isNoAlias(*Target, Place)))
    return false;
  if (!isModSet(AA.getModRefInfo(&Writer, Place)))
    return false;
  // Alias analysis gives up at phis of phis; compare what they start from.
  auto *Store = dyn_cast<StoreInst>(&Writer);
  if (!Store)
    return true;
  const auto Written = underlyingObjects(Store->getPointerOperand());
  auto IsFixed = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return !I || !T.L->contains(I);
  };
  for (const Value *From : underlyingObjects(Load->getPointerOperand()))
    for (const Value *To : Written)
      if (!IsFixed(From) || !IsFixed(To) ||
          !AA.isNoAlias(MemoryLocation::getBeforeOrAfter(From),
                        MemoryLocation::getBeforeOrAfter(To)))
        return true;
  return false;
}
