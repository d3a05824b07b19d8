// SPDX-License-Identifier: Apache-2.0
// Classes of the values one iteration hands to the next (section III-B).
//
// Sequential: the next value and the end condition follow from sequential
// values alone, by pure operations; they are computed before a task starts.
// Shared: the value is only updated by one commutative operation; tasks update
// it in place, in any order. Everything else that lives in the body is private
// to its task. A carried value that is neither is a reason to refuse.

#include "asyncmem/TaskLoop.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Collects the instructions that compute one sequential value.
class Slicer {
public:
  Slicer(const TaskLoop &T, AAResults &AA,
         const SmallPtrSetImpl<PHINode *> &Sequential)
      : T(T), AA(AA), Sequential(Sequential) {}

  SmallPtrSet<Instruction *, 16> Instructions;

  /// \returns null if \p V can be computed at launch, else what prevents it.
  const char *add(Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !T.L->contains(I) || Instructions.contains(I))
      return nullptr;
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      if (Phi->getParent() == T.Header && Sequential.contains(Phi))
        return nullptr;
      return "depends on the control flow of the iteration or on another "
             "carried value";
    }
    if (T.isRemote(I))
      return "depends on remote data";
    if (const char *Why = checkEffects(*I))
      return Why;
    Instructions.insert(I);
    for (Value *Op : I->operands())
      if (const char *Why = add(Op))
        return Why;
    return nullptr;
  }

private:
  const TaskLoop &T;
  AAResults &AA;
  const SmallPtrSetImpl<PHINode *> &Sequential;

  const char *checkEffects(Instruction &I) {
    if (I.mayHaveSideEffects())
      return "is computed by an operation with effects";
    if (!I.mayReadFromMemory())
      return nullptr;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load)
      return "is computed by a call that reads memory";
    for (BasicBlock *BB : T.Blocks)
      for (Instruction &Other : *BB)
        if (Other.mayWriteToMemory() &&
            isModSet(AA.getModRefInfo(&Other, MemoryLocation::get(Load))))
          return "is read from memory that the loop writes";
    return nullptr;
  }
};

/// The operation of an update, or 0: Sub counts as Add, an intrinsic as itself.
struct Operation {
  unsigned Opcode = 0;
  Intrinsic::ID Intrinsic = Intrinsic::not_intrinsic;
  bool operator==(const Operation &Other) const {
    return Opcode == Other.Opcode && Intrinsic == Other.Intrinsic;
  }
  bool valid() const { return Opcode || Intrinsic; }
};

Operation operationOf(const Instruction &I, const Value *Chain) {
  if (auto *Binary = dyn_cast<BinaryOperator>(&I)) {
    if (Binary->getOperand(0) == Chain && Binary->getOperand(1) == Chain)
      return {};
    if (Binary->getOpcode() == Instruction::Sub)
      return {Binary->getOperand(0) == Chain ? unsigned(Instruction::Add) : 0u};
    if (Binary->isCommutative() && Binary->isAssociative())
      return {Binary->getOpcode()};
    return {};
  }
  if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I))
    return {0, MinMax->getIntrinsicID()};
  return {};
}

/// Follows the uses of one carried value through the loop.
class ChainFinder {
public:
  ChainFinder(const TaskLoop &T, SharedUpdate &S) : T(T), S(S) {}

  SmallVector<StoreInst *, 2> Stores;

  /// \returns null if \p S.Phi is a shared value, else what prevents it.
  const char *find() {
    S.Chain.insert(S.Phi);
    for (unsigned I = 0; I != S.Chain.size(); ++I)
      if (const char *Why = follow(S.Chain[I]))
        return Why;
    for (Instruction *I : S.Chain) {
      auto *Phi = dyn_cast<PHINode>(I);
      if (!Phi)
        continue;
      for (BasicBlock *Pred : Phi->blocks())
        if (T.L->contains(Pred) && !inChain(Phi->getIncomingValueForBlock(Pred)))
          return "is sometimes overwritten";
    }
    if (S.Updates.empty())
      return "is never updated";
    return checkOneVersion();
  }

private:
  const TaskLoop &T;
  SharedUpdate &S;
  Operation Op;

  bool inChain(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && S.Chain.contains(I);
  }

  const char *follow(Instruction *Value) {
    for (User *U : Value->users()) {
      auto *I = cast<Instruction>(U);
      if (!T.L->contains(I)) {
        if (Value != S.Phi->getIncomingValueForBlock(T.Latch))
          return "is used after the loop before its last update";
        continue;
      }
      if (isa<PHINode>(I)) {
        S.Chain.insert(I);
        continue;
      }
      if (isStoredAtOnce(*Value, *I)) {
        Stores.push_back(cast<StoreInst>(I));
        continue;
      }
      Operation Found = operationOf(*I, Value);
      if (!Found.valid())
        return "is read by other than commutative updates of itself (a "
               "floating point one must be named in shared_var or reduction)";
      if (Op.valid() && !(Found == Op))
        return "is updated by different operations";
      Op = Found;
      if (S.Chain.insert(I))
        S.Updates.push_back(I);
    }
    return nullptr;
  }

  /// An update whose result goes to a fixed place in memory right away leaves
  /// the newest value there, in whatever order the updates run.
  bool isStoredAtOnce(const Instruction &Value, const Instruction &I) const {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || Store->getValueOperand() != &Value || T.isRemote(Store) ||
        isa<PHINode>(Value) || Store->getParent() != Value.getParent() ||
        !T.L->isLoopInvariant(Store->getPointerOperand()))
      return false;
    for (const Instruction *J = &Value; J != Store; J = J->getNextNode())
      if (T.isRemote(J))
        return false;
    return true;
  }

  /// Updating in place needs that no older value of the chain is still wanted
  /// when an update has made a newer one.
  const char *checkOneVersion() {
    for (const Instruction *Update : S.Updates)
      for (const Instruction *Old : S.Chain)
        if (Old != Update && isWantedAfter(*Old, *Update))
          return "is needed again after it was updated";
    return nullptr;
  }

  /// \returns true if a path inside one iteration leads from \p Update to a
  /// use of \p Old in the chain without defining \p Old anew.
  bool isWantedAfter(const Instruction &Old, const Instruction &Update) const {
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const Instruction *, 16> Work = {Update.getNextNode()};
    while (!Work.empty()) {
      const Instruction *I = Work.pop_back_val();
      for (; I && I != &Old; I = I->getNextNode()) {
        if (is_contained(S.Updates, I) && is_contained(I->operands(), &Old))
          return true;
        if (!I->isTerminator())
          continue;
        for (const BasicBlock *Next : successors(I->getParent())) {
          if (!T.L->contains(Next))
            continue;
          for (const PHINode &Phi : Next->phis())
            if (S.Chain.contains(const_cast<PHINode *>(&Phi)) &&
                Phi.getIncomingValueForBlock(I->getParent()) == &Old)
              return true;
          bool Redefined = isa<PHINode>(Old) && Old.getParent() == Next;
          if (Next != T.Header && !Redefined && Seen.insert(Next).second)
            Work.push_back(Next->getFirstNonPHI());
        }
      }
    }
    return false;
  }
};

/// Drops phis from \p Sequential until all that remain can be computed from
/// each other; \p Why keeps the reason for each one dropped.
void findSequential(const TaskLoop &T, AAResults &AA,
                    SmallPtrSetImpl<PHINode *> &Sequential,
                    DenseMap<PHINode *, const char *> &Why) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (PHINode &Phi : T.Header->phis()) {
      if (!Sequential.contains(&Phi))
        continue;
      Slicer Slice(T, AA, Sequential);
      if (const char *Reason =
              Slice.add(Phi.getIncomingValueForBlock(T.Latch))) {
        Why[&Phi] = Reason;
        Sequential.erase(&Phi);
        Changed = true;
      }
    }
  }
}

bool refuseCarried(Refusal &No, const char *Why, const PHINode &Phi,
                   BasicBlock *Latch) {
  auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
  No.Why = std::string("a value carried from one iteration to the next ") + Why;
  No.Where = Next ? Next->getDebugLoc() : Phi.getDebugLoc();
  return false;
}

} // namespace

void asyncmem::makeUpdatesUnconditional(TaskLoop &T) {
  for (BasicBlock *BB : T.Blocks) {
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Select = dyn_cast<SelectInst>(&I);
      if (!Select)
        continue;
      for (bool OnTrue : {true, false}) {
        auto *Update = dyn_cast<BinaryOperator>(
            OnTrue ? Select->getTrueValue() : Select->getFalseValue());
        Value *Old = OnTrue ? Select->getFalseValue() : Select->getTrueValue();
        if (!Update || !Update->hasOneUse() || Update->getOperand(0) != Old ||
            !isa<PHINode, BinaryOperator>(Old))
          continue;
        Constant *Neutral = ConstantExpr::getBinOpIdentity(
            Update->getOpcode(), Update->getType(), /*AllowRHSConstant=*/true);
        if (!Neutral)
          continue;
        IRBuilder<> B(Select);
        Value *By = Update->getOperand(1);
        Value *Amount =
            B.CreateSelect(Select->getCondition(), OnTrue ? By : Neutral,
                           OnTrue ? Neutral : By);
        auto *New = cast<Instruction>(
            B.CreateBinOp(Update->getOpcode(), Old, Amount));
        if (isa<FPMathOperator>(New))
          New->copyFastMathFlags(Update);
        Select->replaceAllUsesWith(New);
        Select->eraseFromParent();
        Update->eraseFromParent();
        break;
      }
    }
  }
}

bool asyncmem::classifyCarriedValues(TaskLoop &T, AAResults &AA, Refusal &No) {
  SmallPtrSet<PHINode *, 8> Sequential;
  DenseMap<PHINode *, const char *> Why;
  for (PHINode &Phi : T.Header->phis())
    Sequential.insert(&Phi);
  findSequential(T, AA, Sequential, Why);

  Slicer Slice(T, AA, Sequential);
  for (PHINode &Phi : T.Header->phis()) {
    if (Sequential.contains(&Phi)) {
      T.Sequential.push_back(&Phi);
      Slice.add(Phi.getIncomingValueForBlock(T.Latch));
      continue;
    }
    SharedUpdate S;
    S.Phi = &Phi;
    ChainFinder Finder(T, S);
    if (const char *Reason = Finder.find()) {
      bool IsUpdated =
          !S.Updates.empty() || Phi.getType()->isFloatingPointTy();
      return refuseCarried(No, IsUpdated ? Reason : Why[&Phi], Phi, T.Latch);
    }
    T.Shared.push_back(std::move(S));
    T.SharedStores.append(Finder.Stores.begin(), Finder.Stores.end());
  }
  if (const char *Reason = Slice.add(T.ContinueCondition)) {
    No.Why = std::string("its end condition ") + Reason;
    No.Where = T.Latch->getTerminator()->getDebugLoc();
    return false;
  }
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (Slice.Instructions.contains(&I))
        T.Slice.push_back(&I);

  for (PHINode &Phi : T.Exit->phis()) {
    auto *Last = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(T.Latch));
    if (!Last || !T.L->contains(Last) || Slice.Instructions.contains(Last) ||
        is_contained(T.Sequential, Last) ||
        any_of(T.Shared, [&](const SharedUpdate &S) {
          return S.Phi->getIncomingValueForBlock(T.Latch) == Last;
        }))
      continue;
    No.Why = "a value of its last iteration is used after it";
    No.Where = Last->getDebugLoc();
    return false;
  }
  return true;
}
