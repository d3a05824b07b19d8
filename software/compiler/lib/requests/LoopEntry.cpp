// SPDX-License-Identifier: Apache-2.0

#include "requests/LoopEntry.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

namespace {

constexpr unsigned MaxDepth = 8;

bool isKnown(const Value *V, const Loop &L, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  if (isa<PHINode>(I))
    return I->getParent() == L.getHeader();
  return Depth && isa<GetElementPtrInst, CastInst, BinaryOperator>(I) &&
         !I->isIntDivRem() && all_of(I->operands(), [&](const Value *Operand) {
           return isKnown(Operand, L, Depth - 1);
         });
}

} // namespace

bool asyncmem::isKnownAtEntry(const Value *V, const Loop &L) {
  return isKnown(V, L, MaxDepth);
}

Value *asyncmem::computeAtEntry(Value *V, const Loop &L) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getIncomingValueForBlock(L.getLoopPreheader());
  Instruction *Copy = I->clone();
  for (Use &Operand : Copy->operands())
    Operand.set(computeAtEntry(Operand, L));
  Copy->dropPoisonGeneratingFlags();
  Copy->insertBefore(L.getLoopPreheader()->getTerminator());
  return Copy;
}
