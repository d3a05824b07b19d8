// SPDX-License-Identifier: Apache-2.0

#include "transform/LevelStack.h"
#include "analysis/CollectAccesses.h"
#include "transform/BodyVariables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

/// The same bytes of a level are variables of other types in other functions, and
/// in turn those of each activation.
static void forgetTypes(AllocaInst &Variable) {
  SmallSetVector<Instruction *, 16> Uses;
  Uses.insert(&Variable);
  for (unsigned N = 0; N != Uses.size(); ++N) {
    Instruction *I = Uses[N];
    if (I->mayReadOrWriteMemory())
      I->setAAMetadata(AAMDNodes());
    else
      for (User *U : I->users())
        Uses.insert(cast<Instruction>(U));
  }
}

LevelStack::LevelStack(AllocaInst *Level, BasicBlock &Entry)
    : Level(Level), Stack(new AllocaInst(Type::getInt8Ty(Entry.getContext()), 0,
                                         "levels", &Entry)) {}

unsigned LevelStack::addField(unsigned &End, uint64_t Bytes,
                              Align FieldAlignment) {
  assert(!Levels && "the size of a level is fixed");
  Alignment = std::max(Alignment, FieldAlignment);
  unsigned Offset = alignTo(End, FieldAlignment);
  End = Offset + Bytes;
  LevelBytes = std::max(LevelBytes, End);
  return Offset;
}

void LevelStack::moveMemory(ArrayRef<AllocaInst *> Memory) {
  sinkAddresses(Memory);
  const DataLayout &DL = Level->getModule()->getDataLayout();
  unsigned End = 0;
  for (AllocaInst *A : Memory) {
    forgetTypes(*A);
    unsigned Offset =
        addField(End, A->getAllocationSize(DL)->getFixedValue(), A->getAlign());
    for (Use &U : make_early_inc_range(A->uses())) {
      IRBuilder<> B(positionOf(U));
      U.set(place(B, Offset));
    }
    A->eraseFromParent();
  }
}

void LevelStack::setSize(unsigned MaxLevels, unsigned StackBytes) {
  // A level of no bytes would be the first one again.
  LevelBytes = alignTo(std::max(LevelBytes, 1u), Alignment);
  Levels = std::max(1u, std::min(MaxLevels, StackBytes / LevelBytes));
}

Value *LevelStack::level(IRBuilderBase &B) const {
  return B.CreateLoad(B.getInt64Ty(), Level);
}

Value *LevelStack::place(IRBuilderBase &B, unsigned Offset) const {
  Value *Start = B.CreateInBoundsGEP(B.getInt8Ty(), Stack, level(B));
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, Offset);
}

Value *LevelStack::isFirst(IRBuilderBase &B) const {
  return B.CreateICmpEQ(level(B), B.getInt64(0));
}

Value *LevelStack::isLast(IRBuilderBase &B) const {
  return B.CreateICmpEQ(level(B), B.getInt64((Levels - 1) * LevelBytes));
}

void LevelStack::raise(IRBuilderBase &B) const {
  assert(Levels && "setSize comes first");
  B.CreateStore(B.CreateAdd(level(B), B.getInt64(LevelBytes)), Level);
}

void LevelStack::lower(IRBuilderBase &B) const {
  assert(Levels && "setSize comes first");
  B.CreateStore(B.CreateSub(level(B), B.getInt64(LevelBytes)), Level);
}

void LevelStack::allocate(IRBuilderBase &B) {
  assert(Levels && "setSize comes first");
  AllocaInst *Whole = B.CreateAlloca(
      ArrayType::get(B.getInt8Ty(), uint64_t(Levels) * LevelBytes), nullptr,
      "levels");
  Whole->setAlignment(Alignment);
  Stack->replaceAllUsesWith(Whole);
  Stack->eraseFromParent();
  B.CreateStore(B.getInt64(0), Level);
}
