// SPDX-License-Identifier: Apache-2.0

#include "transform/KeptValues.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

bool selectsByBranch(const Function &F) {
  StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  return !Features.contains("+zicond") &&
         !Features.contains("+experimental-zicond");
}

/// Headers of the loops inside \p T in which tasks wait.
SmallPtrSet<const BasicBlock *, 4> waitingLoops(const TaskLoop &T,
                                                const LoopInfo &LI) {
  SmallPtrSet<const BasicBlock *, 4> Headers;
  for (const AccessGroup &Group : T.Groups)
    for (const Loop *L = LI.getLoopFor(
             Group.Requests.front().Parts.front().Access->getParent());
         L && L->getHeader() != T.Header; L = L->getParentLoop())
      Headers.insert(L->getHeader());
  return Headers;
}

/// \returns true if one operand of \p S is the variable that it is the next value
/// of. Zero and all ones are selected by a mask.
bool keepsValue(const SelectInst &S,
                const SmallPtrSetImpl<const BasicBlock *> &Headers) {
  if (!S.getCondition()->getType()->isIntegerTy(1))
    return false;
  auto IsOld = [&](const Value *Old, const Value *New) {
    auto *Phi = dyn_cast<PHINode>(Old);
    auto *Constant = dyn_cast<ConstantInt>(New);
    return Phi && Headers.contains(Phi->getParent()) &&
           is_contained(Phi->incoming_values(), &S) &&
           !(Constant && (Constant->isZero() || Constant->isMinusOne()));
  };
  return IsOld(S.getTrueValue(), S.getFalseValue()) ||
         IsOld(S.getFalseValue(), S.getTrueValue());
}

/// \returns true if \p V can be used in front of \p Position, of whose block the
/// use is.
bool isAvailable(const Value *V, const Instruction *Position) {
  auto *I = dyn_cast<Instruction>(V);
  return !I || I->getParent() != Position->getParent() ||
         I->comesBefore(Position);
}

void makeBranch(TaskLoop &T, ArrayRef<SelectInst *> Selects) {
  SelectInst *First = Selects.front();
  BasicBlock *Head = First->getParent();
  Instruction *True, *False;
  Value *Condition = First->getCondition();
  // The loop may do without a select of a condition that is poison.
  if (!isGuaranteedNotToBeUndefOrPoison(Condition))
    Condition = new FreezeInst(Condition, "", First);
  SplitBlockAndInsertIfThenElse(Condition, First, &True, &False,
                                First->getMetadata(LLVMContext::MD_prof));
  BasicBlock *Tail = First->getParent();
  T.Blocks.insert(std::next(find(T.Blocks, Head)),
                  {True->getParent(), False->getParent(), Tail});
  for (SelectInst *S : Selects) {
    IRBuilder<> B(Tail, Tail->begin());
    PHINode *Phi = B.CreatePHI(S->getType(), 2);
    Phi->addIncoming(S->getTrueValue(), True->getParent());
    Phi->addIncoming(S->getFalseValue(), False->getParent());
    Phi->takeName(S);
    S->replaceAllUsesWith(Phi);
    S->eraseFromParent();
  }
}

} // namespace

void asyncmem::findKeptValues(TaskLoop &T, const LoopInfo &LI) {
  if (!selectsByBranch(*T.Header->getParent()))
    return;
  SmallPtrSet<const BasicBlock *, 4> Headers = waitingLoops(T, LI);
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *S = dyn_cast<SelectInst>(&I); S && keepsValue(*S, Headers))
        T.KeptValues.push_back(S);
}

void asyncmem::branchToKeptValues(TaskLoop &T) {
  for (unsigned I = 0; I != T.KeptValues.size(); ++I) {
    auto *First =
        cast_or_null<SelectInst>(static_cast<Value *>(T.KeptValues[I]));
    if (!First)
      continue;
    SmallVector<SelectInst *, 4> Selects = {First};
    for (const WeakVH &Kept : drop_begin(T.KeptValues, I + 1)) {
      auto *S = cast_or_null<SelectInst>(static_cast<Value *>(Kept));
      if (S && S->getParent() == First->getParent() &&
          S->getCondition() == First->getCondition() &&
          isAvailable(S->getTrueValue(), First) &&
          isAvailable(S->getFalseValue(), First))
        Selects.push_back(S);
    }
    makeBranch(T, Selects);
  }
}
