// SPDX-License-Identifier: Apache-2.0

#include "analysis/RemotePointers.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "common/Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// How many dependent loads are compared to find two loads of one place.
constexpr unsigned MaxAddressDepth = 4;

const Value *stripOffsets(const Value *V) {
  while (true) {
    if (auto *Gep = dyn_cast<GEPOperator>(V))
      V = Gep->getPointerOperand();
    else if (auto *Cast = dyn_cast<AddrSpaceCastOperator>(V))
      V = Cast->getPointerOperand();
    else
      return V;
  }
}

/// \returns true if A and B compute one address in the same way.
bool sameAddress(const Value *A, const Value *B, const DataLayout &DL,
                 unsigned Depth) {
  if (A == B)
    return true;
  APInt OffsetA(64, 0), OffsetB(64, 0);
  A = A->stripAndAccumulateConstantOffsets(DL, OffsetA, true);
  B = B->stripAndAccumulateConstantOffsets(DL, OffsetB, true);
  if (OffsetA != OffsetB)
    return false;
  if (A == B)
    return true;
  auto *LoadA = dyn_cast<LoadInst>(A);
  auto *LoadB = dyn_cast<LoadInst>(B);
  return Depth && LoadA && LoadB &&
         sameAddress(LoadA->getPointerOperand(), LoadB->getPointerOperand(), DL,
                     Depth - 1);
}

/// \returns what \p V is an offset or a cast of, null if it is neither.
const Value *stripOnce(const Value *V) {
  if (auto *Gep = dyn_cast<GEPOperator>(V))
    return Gep->getPointerOperand();
  auto *Cast = dyn_cast<AddrSpaceCastOperator>(V);
  return Cast ? Cast->getPointerOperand() : nullptr;
}

/// The products that an address is away from where its object begins.
using Products = MapVector<Value *, APInt>;

Products productsOf(const Value *V, const DataLayout &DL) {
  Products Found;
  unsigned Bits = DL.getIndexTypeSizeInBits(V->getType());
  APInt Constant(Bits, 0);
  for (; auto *Gep = dyn_cast<GEPOperator>(V); V = stripOnce(V))
    Gep->collectOffset(DL, Bits, Found, Constant);
  return Found;
}

/// \returns true if \p V is \p Root and an offset, in one address: the optimizer
/// makes one of "p = &w[i]" and "p->x".
bool isOffsetOf(const Value *V, const Value *Root, const DataLayout &DL) {
  Products OfRoot = productsOf(Root, DL), OfV = productsOf(V, DL);
  return !OfRoot.empty() &&
         sameAddress(stripOffsets(V), stripOffsets(Root), DL,
                     MaxAddressDepth) &&
         all_of(OfRoot, [&](const std::pair<Value *, APInt> &Product) {
           auto Same = OfV.find(Product.first);
           return Same != OfV.end() && Same->second == Product.second;
         });
}

} // namespace

void RemotePointers::collectSaved(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (MDNode *Tag = Store->getMetadata(LevelTag))
        SavedAs[Tag].push_back(Store->getValueOperand());
}

RemotePointers::RemotePointers(const Loop &L, ArrayRef<ClauseKind> Kinds)
    : Promising(&L) {
  collectSaved(*L.getHeader()->getParent());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (callsFunction(I, PromisedFunction)) {
        auto &Call = cast<CallBase>(I);
        auto *Kind = cast<ConstantInt>(Call.getArgOperand(1));
        if (is_contained(Kinds, ClauseKind(Kind->getZExtValue())))
          addRoot(Call.getArgOperand(0));
      }
}

RemotePointers::RemotePointers(Function &F) {
  collectSaved(F);
  for (Instruction &I : instructions(F)) {
    if (callsFunction(I, RemoteFunction))
      addRoot(cast<CallBase>(I).getArgOperand(0));
    else if (callsFunction(I, AllocFunction))
      addRoot(&I);
  }
}

void RemotePointers::addRoot(const Value *V) {
  if (!Promising)
    V = stripOffsets(V);
  if (isa<Constant>(V) && !isa<GlobalVariable, GEPOperator>(V))
    return;
  if (isa<AllocaInst>(V) || !Roots.insert(V).second)
    return;
  for (const Value *Saved : savedValues(V))
    addRoot(Saved);
  if (auto *Load = dyn_cast<LoadInst>(V))
    RootLoads.push_back(Load);
  else if (auto *Phi = dyn_cast<PHINode>(V)) {
    // What a promising loop begins with, the variable may have from outside.
    if (!Promising || Phi->getParent() != Promising->getHeader())
      for (const Value *In : Phi->incoming_values())
        addRoot(In);
  } else if (auto *Select = dyn_cast<SelectInst>(V))
    for (const Value *In : {Select->getTrueValue(), Select->getFalseValue()})
      addRoot(In);
}

ArrayRef<const Value *> RemotePointers::savedValues(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  auto Found = SavedAs.find(Load ? Load->getMetadata(LevelTag) : nullptr);
  return Found == SavedAs.end() ? ArrayRef<const Value *>() : Found->second;
}

bool RemotePointers::isRoot(const Value *V) const {
  if (Roots.contains(V) || isLoadedRoot(V))
    return true;
  auto *Gep = dyn_cast<GetElementPtrInst>(V);
  return Promising && Gep && any_of(Roots, [&](const Value *Root) {
           return isOffsetOf(V, Root, Gep->getModule()->getDataLayout());
         });
}

/// \returns true if \p V is loaded from where a root was.
bool RemotePointers::isLoadedRoot(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !Load->getType()->isPointerTy())
    return false;
  const DataLayout &DL = Load->getModule()->getDataLayout();
  return any_of(RootLoads, [&](const LoadInst *Root) {
    return sameAddress(Root->getPointerOperand(), Load->getPointerOperand(), DL,
                       MaxAddressDepth);
  });
}

RemotePointers::Sources RemotePointers::sources(const Value *Pointer) const {
  Sources Found;
  SmallVector<const Value *, 8> Work = {Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isRoot(V)) {
      Found.AnyRoot = true;
      continue;
    }
    if (const Value *Of = stripOnce(V)) {
      Work.push_back(Of);
      continue;
    }
    auto Saved = savedValues(V);
    for (const Value *Old : Saved)
      Work.push_back(Old);
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      for (const Value *In : Phi->incoming_values())
        Work.push_back(In);
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.push_back(Select->getTrueValue());
      Work.push_back(Select->getFalseValue());
    } else if (Saved.empty()) {
      Found.Unmarked.push_back(V);
    }
  }
  return Found;
}

namespace {

using Functions = SmallSetVector<const Function *, 16>;

bool belongsToTasks(const Instruction &I) {
  MDNode *Loop =
      I.isTerminator() ? I.getMetadata(LLVMContext::MD_loop) : nullptr;
  if (Loop && findOptionMDForLoopID(Loop, LoopTag))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  auto *Code = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return callsFunction(I, PinFunction) ||
         (Code &&
          StringRef(Code->getAsmString()).contains(NHG_AMI_OPCODE_NAME));
}

void addCallees(const CallBase &Call, Functions &Found) {
  if (const Function *Callee = Call.getCalledFunction())
    Found.insert(Callee);
  else if (!Call.isInlineAsm())
    for (const Function &F : *Call.getModule())
      if (F.hasAddressTaken())
        Found.insert(&F);
}

bool anyRunsTasks(Functions Found) {
  for (unsigned I = 0; I != Found.size(); ++I)
    for (const Instruction &Inside : instructions(*Found[I])) {
      if (belongsToTasks(Inside))
        return true;
      if (auto *Call = dyn_cast<CallBase>(&Inside))
        addCallees(*Call, Found);
    }
  return false;
}

} // namespace

bool asyncmem::mayRunTasks(const Function &F) {
  Functions Found;
  Found.insert(&F);
  return anyRunsTasks(std::move(Found));
}

bool asyncmem::mayRunTasks(const CallBase &Call) {
  Functions Found;
  addCallees(Call, Found);
  return anyRunsTasks(std::move(Found));
}
