// SPDX-License-Identifier: Apache-2.0

#include "choice/LoopState.h"

using namespace llvm;
using namespace asyncmem;

LoopState::LoopState(const TaskLoop &T) {
  LLVMContext &Context = T.Header->getContext();
  Type *I64 = Type::getInt64Ty(Context);
  SmallVector<Type *, 16> Types = {I64, I64, I64};
  auto Add = [&](PHINode &Phi) {
    Fields[&Phi] = Types.size();
    Types.push_back(Phi.getType());
  };
  for (PHINode &Phi : T.Header->phis()) {
    Phis.push_back(&Phi);
    Add(Phi);
  }
  for (const ExitEdge &E : T.Exits)
    if (!is_contained(Exits, E.To)) {
      Exits.push_back(E.To);
      for (PHINode &Phi : E.To->phis())
        Add(Phi);
    }
  Layout = StructType::get(Context, Types);
}

bool LoopState::follow(const TaskLoop &Copy, ValueToValueMapTy &Map) {
  SmallPtrSet<const BasicBlock *, 4> Known = {Copy.Header};
  DenseMap<PHINode *, unsigned> CopyFields;
  auto Twin = [&](PHINode *Phi, const BasicBlock *BB) -> PHINode * {
    Value *Found = Map.lookup(Phi);
    auto *New = dyn_cast_or_null<PHINode>(Found);
    return New && New->getParent() == BB ? New : nullptr;
  };
  auto TakeOver = [&](BasicBlock *Old, const BasicBlock *New) {
    unsigned Count = 0;
    for (PHINode &Phi : Old->phis()) {
      PHINode *Found = Twin(&Phi, New);
      if (!Found)
        return false;
      CopyFields[Found] = Fields.lookup(&Phi);
      ++Count;
    }
    return Count == unsigned(range_size(New->phis()));
  };
  if (Phis.empty() || !TakeOver(Phis.front()->getParent(), Copy.Header))
    return false;
  for (BasicBlock *&Exit : Exits) {
    Value *Found = Map.lookup(Exit);
    auto *New = dyn_cast_or_null<BasicBlock>(Found);
    if (!New || !TakeOver(Exit, New))
      return false;
    Known.insert(New);
    Exit = New;
  }
  if (any_of(Copy.Exits,
             [&](const ExitEdge &E) { return !Known.contains(E.To); }))
    return false;
  for (PHINode *&Phi : Phis)
    Phi = Twin(Phi, Copy.Header);
  Fields = std::move(CopyFields);
  return true;
}

AllocaInst *LoopState::create(Function &F) const {
  return new AllocaInst(Layout, 0, "adapt.state",
                        &*F.getEntryBlock().getFirstInsertionPt());
}

Value *LoopState::load(IRBuilderBase &B, Value *Record, Word W) const {
  return B.CreateLoad(B.getInt64Ty(), B.CreateStructGEP(Layout, Record, W));
}

void LoopState::store(IRBuilderBase &B, Value *Record, Word W, Value *V) const {
  B.CreateStore(V, B.CreateStructGEP(Layout, Record, W));
}

Value *LoopState::load(IRBuilderBase &B, Value *Record, PHINode *Phi) const {
  return B.CreateLoad(Phi->getType(),
                      B.CreateStructGEP(Layout, Record, Fields.lookup(Phi)),
                      Phi->getName());
}

void LoopState::store(IRBuilderBase &B, Value *Record, PHINode *Phi,
                      Value *V) const {
  B.CreateStore(V, B.CreateStructGEP(Layout, Record, Fields.lookup(Phi)));
}
