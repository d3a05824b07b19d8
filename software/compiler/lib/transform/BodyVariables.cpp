// SPDX-License-Identifier: Apache-2.0
// Variables in memory that the bodies of several loops share.
//
// Algorithm: where a loop around the marked one was unrolled, its copies have one place
// for a variable of the body. A copy in whose iterations the variable's life starts, and
// again before each use elsewhere, gets a place of its own.
//
//   L1: v = ...; f(&v);  L2: v = ...; f(&v);   ->   L1 has v, L2 has v.own

#include "transform/Transforms.h"
#include "common/Blocks.h"
#include "common/MemoryVariables.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class BodyVariable {
public:
  BodyVariable(AllocaInst &A, Loop &L) : A(A), L(L) {}

  /// \returns true if uses outside of the loop keep it from being the variable of
  /// a task, and none of them has what an iteration left, nor the other way round.
  bool isShared() {
    if (!A.isStaticAlloca() || !isPrivateTo(A, L) ||
        escapingUse(&A, /*MayCall=*/true) || !collect(A))
      return false;
    return any_of(Uses, [&](Use *U) { return !isInside(*U); }) &&
           all_of(Uses,
                  [&](Use *U) { return isLifeOf(*U) || startsFirst(*U); });
  }

  void separate() {
    auto *Own = cast<AllocaInst>(A.clone());
    Own->setName(A.getName());
    Own->insertAfter(&A);
    replace(A, *Own);
  }

private:
  AllocaInst &A;
  Loop &L;
  /// Of the address, or one in the variable, but for the computation of others.
  SmallVector<Use *, 8> Uses;

  bool isInside(Use &U) const { return L.contains(positionOf(U)); }

  bool isLifeOf(const Use &U) const {
    return isLifetime(*cast<Instruction>(U.getUser()));
  }

  bool isStart(const Instruction &I) const {
    auto *Start = dyn_cast<IntrinsicInst>(&I);
    return Start && Start->getIntrinsicID() == Intrinsic::lifetime_start &&
           Start->getArgOperand(1) == &A;
  }

  /// \returns false if an address that the loop computes is used outside.
  bool collect(Instruction &Address) {
    for (Use &U : Address.uses()) {
      if (auto *Part = dyn_cast<GetElementPtrInst>(U.getUser())) {
        if (!collect(*Part))
          return false;
        continue;
      }
      if (L.contains(&Address) && !isInside(U))
        return false;
      Uses.push_back(&U);
    }
    return true;
  }

  /// \returns true if each way to \p U comes from a start of the variable's life on
  /// its side of the loop, and did not cross to the other side since then.
  bool startsFirst(Use &U) const {
    Instruction *At = positionOf(U);
    for (const Instruction &I : make_range(std::next(At->getReverseIterator()),
                                           At->getParent()->rend()))
      if (isStart(I))
        return true;
    auto Starts = [&](const BasicBlock *BB) {
      return any_of(*BB, [&](const Instruction &I) { return isStart(I); });
    };
    const BasicBlock *To = At->getParent();
    const bool Inside = isInside(U);
    bool Fails = To->isEntryBlock();
    blocksBefore(To, [&](const BasicBlock *Before, const BasicBlock *) {
      Fails |= L.contains(Before) != Inside;
      bool IsStarted = Starts(Before);
      Fails |= Before->isEntryBlock() && !IsStarted;
      return !IsStarted && !Fails;
    });
    return !Fails;
  }

  /// Replaces \p Old, an address in the variable, by \p New in the loop.
  void replace(Instruction &Old, Instruction &New) {
    for (Use &U : make_early_inc_range(Old.uses())) {
      auto *Part = dyn_cast<GetElementPtrInst>(U.getUser());
      if (isInside(U)) {
        U.set(&New);
      } else if (Part) {
        auto *Copy = cast<GetElementPtrInst>(Part->clone());
        Copy->insertAfter(Part);
        Copy->setOperand(0, &New);
        replace(*Part, *Copy);
        if (Copy->use_empty())
          Copy->eraseFromParent();
      }
    }
  }
};

} // namespace

bool asyncmem::separateBodyVariables(Loop &L, Function &F) {
  bool Changed = false;
  SmallVector<AllocaInst *, 8> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Variables.push_back(A);
  for (AllocaInst *A : Variables) {
    BodyVariable Variable(*A, L);
    if (!Variable.isShared())
      continue;
    Variable.separate();
    Changed = true;
  }
  return Changed;
}
