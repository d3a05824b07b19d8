// SPDX-License-Identifier: Apache-2.0

#include "tasks/RequestIssuer.h"
#include "common/Blocks.h"
#include "common/Names.h"
#include "common/Target.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class Follower {
public:
  Follower(const AccessGroup &Group, const Suspension &S, TaskHandle &Handle,
           AddressWords &Words)
      : Group(Group), Now(*Group.Strip), S(S), Handle(Handle), Words(Words) {}

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

  Value *pointer(IRBuilderBase &B, const Request &R) const {
    const AccessPart &First = R.Parts.front();
    Value *Pointer = mapped(Values, accessPointer(First.Access));
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

/// Makes \p B request \p Next, which belongs to the group that \p S waits for.
void requestBlock(IRBuilderBase &B, const NextBlock &Next, const Suspension &S,
                  TaskHandle &Handle, AddressWords &Words) {
  Value *Pointer = B.CreateIntToPtr(Next.Address, B.getPtrTy());
  Value *Place = B.CreateAdd(NextBlock::place(B, Next.Address, Next.Bytes),
                             B.getInt64(Next.SlotOffset));
  Value *Word = Words.get(B, Pointer, S, Log2_32(Next.Bytes));
  ami::aload(
      B, Word,
      B.CreateAdd(Handle.id(B), B.CreateShl(Place, ami::SlotOffsetShift)));
}

/// Makes \p Loop request what all but the first iteration of the strip load, between
/// \p Head and S.Before.
void requestFollowing(const AccessGroup &Group, const Suspension &S,
                      TaskHandle &Handle, AddressWords &Words, BasicBlock *Head,
                      BasicBlock *Loop) {
  const Strip &Now = *Group.Strip;
  Follower Follow(Group, S, Handle, Words);
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

} // namespace

void RequestIssuer::issue(const AccessGroup &Group, Suspension &S,
                          const Scheduler::Condition &More) {
  if (Group.CompletesCarried && Group.Requests.size() > 1)
    FirstRequests = Group.Requests.size();
  if (Group.IsCarried && issueCarried(Group, S, More))
    return;
  if (Group.Strip) {
    issueStrip(Group, S);
  } else if (Group.Next) {
    open(Group, S, ConstantInt::get(Type::getInt64Ty(F.getContext()), 1));
    requestOpened(Group, S);
  } else if (Group.mayNeedPieces()) {
    issueByPage(Group, S);
  } else {
    IRBuilder<> B(S.Before->getTerminator());
    issueWhole(B, Group, S, /*Rarely=*/false);
  }
}

void RequestIssuer::openFirstGroup(IRBuilderBase &B) const {
  if (FirstRequests)
    ami::aset(B, Handle.id(B), FirstRequests);
}

/// While another iteration follows, it is launched at once, and its first
/// requests complete the group of these stores. \returns false if the
/// end of the task would open that group once more.
bool RequestIssuer::issueCarried(const AccessGroup &Group, Suspension &S,
                                 const Scheduler::Condition &More) {
  BasicBlock *Head = S.Before, *Resume = S.After;
  SmallVector<Instruction *, 4> Stores = Group.accesses();
  BasicBlock *Tail = SplitBlock(Resume, Stores.back()->getNextNode());
  Blocks.addToBody(Resume, Tail);
  BasicBlock *Next = Group.Locked || isEnd(Tail) ? Blocks.Launch : Tail;
  if (FirstRequests && Next == Tail)
    return false;
  auto *Carry = BasicBlock::Create(F.getContext(), "carry", &F, Resume);
  auto *Wait = BasicBlock::Create(F.getContext(), "wait", &F, Resume);
  Blocks.addToBody(Head, {Carry, Wait});
  IRBuilder<> B(Head->getTerminator());
  B.CreateCondBr(More(B, false), Carry, Wait,
                 Scheduler::launchWeights(F.getContext()));
  Head->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Carry);
  B.SetCurrentDebugLocation(Stores.front()->getDebugLoc());
  ami::aset(B, Handle.id(B),
            Group.Requests.size() + std::max(FirstRequests, 1u));
  requestEach(B, Group, S, /*Rarely=*/false);
  if (Group.Locked)
    B.CreateStore(Group.HeldLock, Group.Locked);
  B.CreateBr(Next);
  LaunchesAtStores |= Next == Blocks.Launch;

  B.SetInsertPoint(Wait);
  S.Before = Wait;
  issueWhole(B, Group, S, /*Rarely=*/true);
  B.CreateBr(Resume);
  return true;
}

/// \returns true if nothing is left to do from \p BB to the end of the task.
bool RequestIssuer::isEnd(const BasicBlock *BB) const {
  while (BB && BB != Blocks.Return && BB->sizeWithoutDebug() == 1)
    BB = BB->getSingleSuccessor();
  return BB == Blocks.Return;
}

/// The requests of the strip's first iteration, then those of the others.
void RequestIssuer::issueStrip(const AccessGroup &Group, Suspension &S) {
  open(Group, S, Group.Strip->Count);
  requestOpened(Group, S);
  auto *Following =
      BasicBlock::Create(F.getContext(), "strip.request", &F, S.After);
  BasicBlock *Head = S.Before;
  S.Before = SplitBlock(Head, Head->getTerminator());
  Blocks.addToBody(Head, {Following, S.Before});
  requestFollowing(Group, S, Handle, Words, Head, Following);
}

/// Opens a group of \p Count times its requests and of the block that may be
/// wanted with it, and requests that.
void RequestIssuer::open(const AccessGroup &Group, Suspension &S,
                         Value *Count) {
  IRBuilder<> B(S.Before->getTerminator());
  B.SetCurrentDebugLocation(
      Group.Requests.front().Parts.front().Access->getDebugLoc());
  Value *All = B.CreateMul(Count, B.getInt64(Group.Requests.size()));
  if (!Group.Next) {
    ami::aset(B, Handle.id(B), All);
    return;
  }
  Instruction *With, *Without;
  BasicBlock *Head = S.Before;
  SplitBlockAndInsertIfThenElse(Group.Next->Wanted, Head->getTerminator(),
                                &With, &Without);
  S.Before = With->getSuccessor(0);
  Blocks.addToBody(Head, {With->getParent(), Without->getParent(), S.Before});
  B.SetInsertPoint(With);
  ami::aset(B, Handle.id(B), B.CreateAdd(All, B.getInt64(1)));
  if (Group.Next->Known)
    B.CreateStore(Group.Next->Moved, Group.Next->Known);
  requestBlock(B, *Group.Next, S, Handle, Words);
  B.SetInsertPoint(Without);
  if (!isa<ConstantInt>(All))
    ami::aset(B, Handle.id(B), All);
}

/// The requests of an opened group itself, those of the first iteration of a
/// strip.
void RequestIssuer::requestOpened(const AccessGroup &Group,
                                  const Suspension &S) {
  IRBuilder<> B(S.Before->getTerminator());
  requestAndSwitch(B, Group, S, /*Rarely=*/false);
}

/// Coarse requests; in the rare case that one would leave its page, a request
/// for each access instead.
void RequestIssuer::issueByPage(const AccessGroup &Group, Suspension &S) {
  IRBuilder<> B(S.Before->getTerminator());
  Value *Crosses = nullptr;
  for (const Request &R : Group.Requests) {
    if (!R.mayNeedPieces())
      continue;
    // The address word has the low bits of the address, and is needed anyway.
    Value *Word = Words.get(B, R.pointer(B), S, R.SizeLog2);
    Value *Over = Request::crossesPage(B, Word, pageLimit(R.bytes()));
    if (R.Alignment < R.neededAlignment())
      Over = B.CreateOr(Over, B.CreateIsNotNull(B.CreateAnd(
                                  Word, R.neededAlignment().value() - 1)));
    Crosses = Crosses ? B.CreateOr(Crosses, Over) : Over;
  }
  Instruction *Pieces, *Whole;
  BasicBlock *Head = S.Before;
  SplitBlockAndInsertIfThenElse(
      Crosses, Head->getTerminator(), &Pieces, &Whole,
      MDBuilder(F.getContext()).createBranchWeights(1, 1000));
  S.Before = Whole->getSuccessor(0);
  Blocks.addToBody(Head, {Pieces->getParent(), Whole->getParent(), S.Before});
  IRBuilder<> AtWhole(Whole), AtPieces(Pieces);
  issueWhole(AtWhole, Group, S, /*Rarely=*/false);
  issueWhole(AtPieces, Group.separate(), S, /*Rarely=*/true);
}

/// The code generator would make the constant anew for each request.
Value *RequestIssuer::pageLimit(unsigned Bytes) {
  Value *&Limit = PageLimits[Bytes];
  if (!Limit) {
    IRBuilder<> B(Blocks.Init->getTerminator());
    Limit = keepInRegister(B, B.getInt64(Request::pageLimit(Bytes)));
  }
  return Limit;
}

/// The requests of \p Group, as one group of the AMU. Where it is rarely done
/// no register is spent on constants.
void RequestIssuer::issueWhole(IRBuilderBase &B, const AccessGroup &Group,
                               const Suspension &S, bool Rarely) {
  unsigned Count = Group.Requests.size();
  if (Count > 1 && !Group.CompletesCarried) {
    const Request &First = Group.Requests.front();
    B.SetCurrentDebugLocation(First.Parts.front().Access->getDebugLoc());
    ami::aset(B, Handle.id(B), Count);
  }
  requestAndSwitch(B, Group, S, Rarely);
}

/// The last request is where the switch counts.
void RequestIssuer::requestAndSwitch(IRBuilderBase &B, const AccessGroup &Group,
                                     const Suspension &S, bool Rarely) {
  requestEach(B, Group, S, Rarely)
      ->setMetadata(SwitchTag, MDNode::get(F.getContext(), {}));
}

/// \returns the last request of \p Group.
CallInst *RequestIssuer::requestEach(IRBuilderBase &B, const AccessGroup &Group,
                                     const Suspension &S, bool Rarely) {
  Value *Id = Handle.id(B);
  CallInst *Last = nullptr;
  for (const Request &R : Group.Requests) {
    B.SetCurrentDebugLocation(R.Parts.front().Access->getDebugLoc());
    Value *AddressWord = Rarely
                             ? Words.computeHere(B, R.pointer(B), S, R.SizeLog2)
                             : Words.get(B, R.pointer(B), S, R.SizeLog2);
    Value *RequestWord = B.CreateAdd(
        Id, B.getInt64(uint64_t(R.SlotOffset) << ami::SlotOffsetShift));
    if (Group.RowPlace)
      RequestWord = B.CreateAdd(
          RequestWord, B.CreateShl(Group.RowPlace, ami::SlotOffsetShift));
    Last = R.isStore() ? ami::astore(B, AddressWord, RequestWord)
                       : ami::aload(B, AddressWord, RequestWord);
  }
  return Last;
}
