// SPDX-License-Identifier: Apache-2.0

#include "schedule/StripIssue.h"
#include "common/Target.h"
#include "loop/Request.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class Follower {
public:
  Follower(const AccessGroup &Group, const Suspension &S,
           const StripParts &Parts)
      : Group(Group), Now(*Group.Strip), S(S), Handle(Parts.Handle),
        Words(Parts.Words) {}

  /// The requests of iteration \p I.
  void request(IRBuilderBase &B, Value *I) {
    Now.copyOperations(B, I, Values,
                       [&](const StripOperation &Element, Value *Pointer) {
                         return readElement(B, Element, Pointer);
                       });
    Value *Id = Handle.id(B);
    for (const Request &R : Group.Requests) {
      Value *Word = Words.get(B, pointer(B, R), S, R.SizeLog2);
      Value *Place = B.CreateMul(
          I, B.getInt64(uint64_t(R.bytes()) << ami::SlotOffsetShift));
      Value *First = B.CreateAdd(
          Id, B.getInt64(uint64_t(R.SlotOffset) << ami::SlotOffsetShift));
      ami::aload(B, Word, B.CreateAdd(First, Place));
    }
  }

private:
  const AccessGroup &Group;
  const Strip &Now;
  const Suspension &S;
  TaskHandle &Handle;
  AddressWords &Words;
  /// Values of the first iteration to those of another one.
  ValueToValueMapTy Values;

  Value *mapped(Value *V) const {
    Value *Other = Values.lookup(V);
    return Other ? Other : V;
  }

  Value *pointer(IRBuilderBase &B, const Request &R) const {
    const AccessPart &First = R.Parts.front();
    Value *Pointer = mapped(accessPointer(First.Access));
    return First.Offset ? B.CreateGEP(B.getInt8Ty(), Pointer,
                                      B.getInt64(-int64_t(First.Offset)))
                        : Pointer;
  }

  /// The strip does not go on at the beginning of the row's part of the slot.
  Value *readElement(IRBuilderBase &B, const StripOperation &Element,
                     Value *Pointer) {
    Value *First = B.CreatePtrToInt(Element.Pointer, B.getInt64Ty());
    Value *Place = B.CreateAnd(First, Element.SlotBytes - 1);
    Value *Distance =
        B.CreateSub(B.CreatePtrToInt(Pointer, B.getInt64Ty()), First);
    Value *Start = Handle.slot(B, Element.SlotOffset);
    return B.CreateAlignedLoad(
        cast<Instruction>(Element.Operation)->getType(),
        B.CreateGEP(B.getInt8Ty(), B.CreateGEP(B.getInt8Ty(), Start, Place),
                    Distance),
        Element.Alignment);
  }
};

} // namespace

void asyncmem::requestBlock(IRBuilderBase &B, const NextBlock &Next,
                            const Suspension &S, const StripParts &Parts) {
  Value *Pointer = B.CreateIntToPtr(Next.Address, B.getPtrTy());
  Value *Place = B.CreateAdd(NextBlock::place(B, Next.Address, Next.Bytes),
                             B.getInt64(Next.SlotOffset));
  Value *Word = Parts.Words.get(B, Pointer, S, Log2_32(Next.Bytes));
  ami::aload(B, Word,
             B.CreateAdd(Parts.Handle.id(B),
                         B.CreateShl(Place, ami::SlotOffsetShift)));
}

void asyncmem::requestFollowing(const AccessGroup &Group, const Suspension &S,
                                const StripParts &Parts, BasicBlock *Head,
                                BasicBlock *Loop) {
  const Strip &Now = *Group.Strip;
  Follower Follow(Group, S, Parts);
  IRBuilder<> B(Head->getTerminator());
  B.SetCurrentDebugLocation(Now.Loads.front().Load->getDebugLoc());
  B.CreateCondBr(B.CreateICmpEQ(Now.Count, B.getInt64(1)), S.Before, Loop);
  Head->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Loop);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2, "strip.iteration");
  Follow.request(B, I);
  Value *Next = B.CreateAdd(I, B.getInt64(1));
  B.CreateCondBr(B.CreateICmpEQ(Next, Now.Count), S.Before, Loop);
  I->addIncoming(B.getInt64(1), Head);
  I->addIncoming(Next, Loop);
}

void asyncmem::readStrip(TaskHandle &Handle, const AccessGroup &Group) {
  const Strip &Now = *Group.Strip;
  for (const StripLoad &Part : Now.Loads) {
    const Request &R = Group.Requests[Part.Request];
    unsigned Place = R.SlotOffset + Part.Offset;
    IRBuilder<> B(Part.Load);
    Value *Start = Handle.slot(B, Place);
    Value *Distance = B.CreateMul(Part.Index, B.getInt64(R.bytes()));
    Part.Load->replaceAllUsesWith(B.CreateAlignedLoad(
        Part.Load->getType(), B.CreateGEP(B.getInt8Ty(), Start, Distance),
        commonAlignment(Handle.slotAlignment(Place), R.bytes())));
    Part.Load->eraseFromParent();
  }
}
