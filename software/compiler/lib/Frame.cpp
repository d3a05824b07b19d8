// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/Frame.h"
#include "asyncmem/Liveness.h"
#include "asyncmem/Names.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// At most this many operations replace the save and the reload of a value.
constexpr unsigned RematerializeBudget = 2;

/// \returns the place where the operand \p U is read.
Instruction *positionOf(Use &U) {
  auto *User = cast<Instruction>(U.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  return Phi ? Phi->getIncomingBlock(U)->getTerminator() : User;
}

} // namespace

AllocaInst *Variables::create(Type *Ty, const Twine &Name) {
  BasicBlock &Entry = F.getEntryBlock();
  auto *Variable = new AllocaInst(Ty, 0, Name, &*Entry.getFirstInsertionPt());
  Allocas.push_back(Variable);
  return Variable;
}

Frame::Frame(Function &F, ArrayRef<BasicBlock *> Blocks,
             ArrayRef<Suspension> Suspensions,
             ArrayRef<AllocaInst *> PrivateMemory, unsigned HeaderBytes)
    : F(F), Blocks(Blocks), Suspensions(Suspensions),
      PrivateMemory(PrivateMemory), HeaderBytes(HeaderBytes) {}

Frame::Crossings Frame::findCrossings() const {
  Liveness Live(Blocks);
  Crossings Result;
  for (unsigned S = 0; S != Suspensions.size(); ++S)
    for (Instruction *V : Live.liveIn(Suspensions[S].After)) {
      BitVector &Set = Result[V];
      Set.resize(Suspensions.size());
      Set.set(S);
    }
  return Result;
}

void Frame::sinkPrivateAddresses() {
  SmallVector<GetElementPtrInst *, 16> Work;
  auto AddGeps = [&](Value *V) {
    for (User *U : V->users())
      if (auto *Gep = dyn_cast<GetElementPtrInst>(U))
        Work.push_back(Gep);
  };
  for (AllocaInst *A : PrivateMemory)
    AddGeps(A);
  while (!Work.empty()) {
    GetElementPtrInst *Gep = Work.pop_back_val();
    for (Use &U : make_early_inc_range(Gep->uses())) {
      Instruction *Clone = Gep->clone();
      Clone->insertBefore(positionOf(U));
      U.set(Clone);
      AddGeps(Clone);
    }
    Gep->eraseFromParent();
  }
}

bool Frame::isCheap(Instruction *V, const Crossings &Live,
                    const BitVector &Needed, unsigned Budget) const {
  bool Division = V->isIntDivRem();
  bool Kind = isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst,
                  SelectInst>(V);
  if (!Budget || !Kind || Division || V->getType()->isFPOrFPVectorTy())
    return false;
  for (Value *Op : V->operands()) {
    auto *I = dyn_cast<Instruction>(Op);
    if (!I || !is_contained(Blocks, I->getParent()))
      continue;
    auto Found = Live.find(I);
    bool Kept = Found != Live.end() && !Needed.test(Found->second);
    if (!Kept && !isCheap(I, Live, Needed, Budget - 1))
      return false;
  }
  return true;
}

Instruction *Frame::cloneAt(Instruction *V, Instruction *Position,
                            const Crossings &Live) const {
  Instruction *Clone = V->clone();
  Clone->insertBefore(Position);
  const BitVector &Needed = Live.find(V)->second;
  for (Use &Op : Clone->operands()) {
    auto *I = dyn_cast<Instruction>(Op);
    if (!I || !is_contained(Blocks, I->getParent()))
      continue;
    auto Found = Live.find(I);
    if (Found != Live.end() && !Needed.test(Found->second))
      continue;
    Instruction *Inner = I->clone();
    Inner->insertBefore(Clone);
    Op.set(Inner);
  }
  return Clone;
}

void Frame::rematerialize() {
  static_assert(RematerializeBudget == 2, "cloneAt copies two levels");
  bool Changed = true;
  while (Changed) {
    Changed = false;
    Crossings Live = findCrossings();
    for (auto &[V, Set] : Live) {
      if (!isCheap(V, Live, Set, RematerializeBudget))
        continue;
      for (Use &U : make_early_inc_range(V->uses())) {
        Instruction *Position = positionOf(U);
        if (Position->getParent() != V->getParent())
          U.set(cloneAt(V, Position, Live));
      }
      Changed = true;
      break;
    }
  }
}

void Frame::layout() {
  Crossing = findCrossings();
  const DataLayout &DL = F.getParent()->getDataLayout();
  struct Field {
    Instruction *Owner;
    uint64_t Bytes;
    Align Alignment;
  };
  SmallVector<Field, 16> Fields;
  for (auto &[V, Set] : Crossing)
    Fields.push_back({V, DL.getTypeStoreSize(V->getType()).getFixedValue(),
                      DL.getABITypeAlign(V->getType())});
  for (AllocaInst *A : PrivateMemory)
    Fields.push_back(
        {A, A->getAllocationSize(DL)->getFixedValue(), A->getAlign()});
  // Large alignments first: no holes, except the one behind the header.
  stable_sort(Fields, [](const Field &A, const Field &B) {
    return A.Alignment > B.Alignment;
  });
  uint64_t End = HeaderBytes;
  Align Largest(8);
  for (const Field &Fld : Fields) {
    Largest = std::max(Largest, Fld.Alignment);
    End = alignTo(End, Fld.Alignment);
    Offsets[Fld.Owner] = End;
    End += Fld.Bytes;
  }
  Alignment = Largest.value();
  Size = std::max<uint64_t>(alignTo(End, Largest), Alignment);
}

Value *Frame::address(IRBuilderBase &Builder, const FramePointer &Pointer,
                      unsigned Offset) const {
  Value *Base = Pointer(Builder);
  return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Base, Offset);
}

void Frame::emitValue(Instruction *V, unsigned Offset, Variables &Vars,
                      const FramePointer &Pointer) {
  LLVMContext &Context = F.getContext();
  unsigned Tag = Context.getMDKindID(ContextTag);
  MDNode *Empty = MDNode::get(Context, {});
  AllocaInst *Current = Vars.create(V->getType(), V->getName() + ".current");

  DenseMap<Instruction *, Value *> AtPosition;
  for (Use &U : make_early_inc_range(V->uses())) {
    Instruction *Position = positionOf(U);
    if (Position->getParent() == V->getParent())
      continue;
    Value *&Read = AtPosition[Position];
    if (!Read)
      Read = IRBuilder<>(Position).CreateLoad(V->getType(), Current);
    U.set(Read);
  }

  Instruction *Behind = isa<PHINode>(V) ? &*V->getParent()->getFirstInsertionPt()
                                        : V->getNextNode();
  IRBuilder<> Save(Behind);
  Save.SetCurrentDebugLocation(V->getDebugLoc());
  Save.CreateStore(V, Current);
  Save.CreateStore(V, address(Save, Pointer, Offset))->setMetadata(Tag, Empty);

  const BitVector &Set = Crossing.find(V)->second;
  for (unsigned S : Set.set_bits()) {
    IRBuilder<> Reload(&*Suspensions[S].After->getFirstInsertionPt());
    LoadInst *Saved = Reload.CreateLoad(
        V->getType(), address(Reload, Pointer, Offset), V->getName());
    Saved->setMetadata(Tag, Empty);
    Reload.CreateStore(Saved, Current);
  }
}

void Frame::emit(Variables &Vars, const FramePointer &Pointer) {
  for (auto &[Owner, Offset] : Offsets) {
    auto *A = dyn_cast<AllocaInst>(Owner);
    if (!A || !is_contained(PrivateMemory, A)) {
      emitValue(Owner, Offset, Vars, Pointer);
      continue;
    }
    for (Use &U : make_early_inc_range(A->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Intrinsic = dyn_cast<IntrinsicInst>(User);
      if (Intrinsic && Intrinsic->isLifetimeStartOrEnd()) {
        Intrinsic->eraseFromParent();
        continue;
      }
      IRBuilder<> Builder(User);
      U.set(address(Builder, Pointer, Offset));
    }
    A->eraseFromParent();
  }
}
