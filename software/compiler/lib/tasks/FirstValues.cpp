// SPDX-License-Identifier: Apache-2.0

#include "tasks/FirstValues.h"
#include "schedule/TaskParts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Headers of the loops inside \p T in which tasks wait.
SmallPtrSet<BasicBlock *, 4> waitingLoops(const TaskLoop &T,
                                          const LoopInfo &LI) {
  SmallPtrSet<BasicBlock *, 4> Headers;
  for (const AccessGroup &Group : T.Groups)
    if (const Loop *L = LI.getLoopFor(
            Group.Requests.front().Parts.front().Access->getParent());
        L->getHeader() != T.Header)
      Headers.insert(L->getHeader());
  return Headers;
}

/// \returns the place of the first value, if that is a constant, of the variable of
/// a loop in \p T with header \p H; its later values come by a branch.
std::optional<unsigned> firstConstant(const TaskLoop &T, Value *V,
                                      const BasicBlock *H) {
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getParent() != H || T.Slice.contains(Phi) ||
      Phi->getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned I : {0, 1})
    if (isa<ConstantInt>(Phi->getIncomingValue(I)) &&
        !isa<Constant>(Phi->getIncomingValue(1 - I)) &&
        is_contained(T.Blocks, Phi->getIncomingBlock(I)) &&
        Phi->getIncomingBlock(1 - I)->getTerminator()->getNumSuccessors() > 1)
      return I;
  return std::nullopt;
}

} // namespace

void asyncmem::hideFirstValues(TaskLoop &T, const LoopInfo &LI) {
  for (BasicBlock *H : waitingLoops(T, LI))
    for (Instruction &I : *H) {
      if (!isa<BinaryOperator>(I))
        continue;
      Value *Left = I.getOperand(0), *Right = I.getOperand(1);
      std::optional<unsigned> AtLeft = firstConstant(T, Left, H);
      std::optional<unsigned> AtRight = firstConstant(T, Right, H);
      if (!AtLeft || !AtRight)
        continue;
      // Zero is cheaper to save as a constant.
      auto *Phi = cast<PHINode>(Left);
      auto *First = cast<Constant>(Phi->getIncomingValue(*AtLeft));
      unsigned At = *AtLeft;
      if (First->isNullValue()) {
        Phi = cast<PHINode>(Right);
        At = *AtRight;
      }
      IRBuilder<> B(Phi->getIncomingBlock(At)->getTerminator());
      Phi->setIncomingValue(At, keepInRegister(B, Phi->getIncomingValue(At)));
    }
}
