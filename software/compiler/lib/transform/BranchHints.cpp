// SPDX-License-Identifier: Apache-2.0
// What the code generator is told of branches in the body.
//
// 1. Values chosen by remote data are selected without a branch: data that was worth a
//    switch is new to the core, so a branch is predicted badly. With the AMU those that
//    the next pass of an inner loop gets: a value that decides the next branch only delays
//    that. The plain loop keeps its branches, which start the next loads early; so do
//    prefetching tasks on NH-G, where a prefetch may be late.
// 2. How often branches go which way, as LLVM guesses while inner loops still are
//    loops: once the loop is taken apart at suspensions they are none any more.
//
//   found < key ? middle : high  ->  the same, marked as unpredictable; on NH-G
//                                    czero.eqz(middle, less) | czero.nez(high, less)

#include "transform/Transforms.h"
#include "common/Target.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Operations between a remote load and the condition.
constexpr unsigned MaxDepth = 4;

bool dependsOnRemote(const TaskLoop &T, const Value *V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode>(I))
    return false;
  if (isa<LoadInst>(I))
    return T.isRemote(I);
  return Depth && any_of(I->operands(), [&](const Value *Operand) {
           return dependsOnRemote(T, Operand, Depth - 1);
         });
}

/// \p V as a word for \p Zero, which is not asked where it would make 0 of 0.
Value *zeroIf(IRBuilderBase &B, decltype(zicond::czeroEqz) &Zero, Value *V,
              Value *Condition) {
  auto *Known = dyn_cast<Constant>(V);
  if (Known && Known->isNullValue())
    return B.getInt64(0);
  Value *Word = V->getType()->isPointerTy()
                    ? B.CreatePtrToInt(V, B.getInt64Ty())
                    : B.CreateSExt(V, B.getInt64Ty());
  return Zero(B, Word, Condition);
}

} // namespace

void asyncmem::markSelects(TaskLoop &T, bool OnlyCarried) {
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *Select = dyn_cast<SelectInst>(&I);
          Select && dependsOnRemote(T, Select->getCondition(), MaxDepth) &&
          (!OnlyCarried || any_of(Select->users(), [](const User *U) {
            return isa<PHINode>(U);
          })))
        Select->setMetadata(LLVMContext::MD_unpredictable,
                            MDNode::get(I.getContext(), {}));
}

void asyncmem::expandMarkedSelects(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Select = dyn_cast<SelectInst>(&I);
    Type *Ty = I.getType();
    if (!Select || !Select->hasMetadata(LLVMContext::MD_unpredictable) ||
        !(Ty->isPointerTy() ||
          (Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64)))
      continue;
    IRBuilder<> B(Select);
    Value *Condition = B.CreateZExt(Select->getCondition(), B.getInt64Ty());
    Value *Word = B.CreateOr(
        zeroIf(B, zicond::czeroEqz, Select->getTrueValue(), Condition),
        zeroIf(B, zicond::czeroNez, Select->getFalseValue(), Condition));
    Select->replaceAllUsesWith(Ty->isPointerTy() ? B.CreateIntToPtr(Word, Ty)
                                                 : B.CreateTrunc(Word, Ty));
    Select->eraseFromParent();
  }
}

void asyncmem::keepBranchWeights(TaskLoop &T,
                                 const BranchProbabilityInfo &Probabilities) {
  for (BasicBlock *BB : T.Blocks) {
    Instruction *End = BB->getTerminator();
    if (!isa<BranchInst, SwitchInst>(End) || End->getNumSuccessors() < 2 ||
        hasBranchWeightMD(*End))
      continue;
    SmallVector<uint32_t, 4> Weights;
    for (unsigned S = 0; S != End->getNumSuccessors(); ++S)
      Weights.push_back(Probabilities.getEdgeProbability(BB, S).getNumerator());
    End->setMetadata(LLVMContext::MD_prof,
                     MDBuilder(BB->getContext()).createBranchWeights(Weights));
  }
}
