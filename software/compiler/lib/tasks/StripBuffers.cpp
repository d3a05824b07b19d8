// SPDX-License-Identifier: Apache-2.0
// The code of strips (StripRequests.cpp): when a task requests the loads of the next
// iterations, of how many, and what stores make it forget.
//
// Algorithm: where an iteration begins, a counter says whether the strip has another one. If
// not, the number of iterations that rows and the loop's end allow is computed, and for each
// of them the addresses are, by copies of what computes them; all are one group. Behind a
// store that meets an address still to come, the rest of the strip is forgotten.
//
//   if (begun == all) { all = min(left, 8); request all; begun = 0; } v = slot[begun++];

#include "tasks/SlotReads.h"
#include "common/Blocks.h"
#include "common/MemoryVariables.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class StripCode {
public:
  StripCode(TaskLoop &T, AccessGroup &Group)
      : T(T), Group(Group), S(*Group.Strip), F(*T.Header->getParent()) {}

  void createVariables() {
    Instruction *Before = &*F.getEntryBlock().getFirstInsertionPt();
    Type *I64 = Type::getInt64Ty(F.getContext());
    S.Begun = new AllocaInst(I64, 0, "strip.begun", Before);
    S.All = new AllocaInst(I64, 0, "strip.all", Before);
    S.Left = new AllocaInst(I64, 0, "strip.left", Before);
    IRBuilder<> B(S.Repeats);
    B.CreateStore(B.getInt64(0), S.Begun);
    B.CreateStore(B.getInt64(0), S.All);
    auto *Variable = cast<AllocaInst>(S.Repeats->getPointerOperand());
    S.Repeats = B.CreateStore(S.Repeats->getValueOperand(), S.Left);
    for (User *U : make_early_inc_range(Variable->users()))
      cast<StoreInst>(U)->eraseFromParent();
    Variable->eraseFromParent();
  }

  void build() {
    for (StripOperation &Operation : S.Operations)
      if (Operation.Row) {
        Operation.SlotOffset = T.Rows[*Operation.Row].SlotOffset;
        Operation.SlotBytes = T.Rows[*Operation.Row].slotBytes();
      }
    for (StoreInst *Store : S.Stores)
      forgetAt(Store);
    request();
    for (AllocaInst *Variable : {S.Begun, S.All, S.Left})
      promote(Variable);
  }

private:
  TaskLoop &T;
  AccessGroup &Group;
  Strip &S;
  Function &F;
  /// The block in which iterations begin, or find that a strip does.
  BasicBlock *Where = nullptr;

  BasicBlock *newBlock(const Twine &Name, BasicBlock *Before) {
    return BasicBlock::Create(F.getContext(), Name, &F, Before);
  }

  MDNode *rarely() const {
    return MDBuilder(F.getContext()).createBranchWeights(1, 1000);
  }

  /// \returns true if an element's block was forgotten (SlotReads.h) and with it
  /// what later addresses come from.
  Value *isRowForgotten(IRBuilderBase &B) const {
    Value *Any = B.getFalse();
    for (const StripOperation &Operation : S.Operations)
      if (Operation.Row)
        Any = B.CreateOr(
            Any, B.CreateICmpEQ(loadVariable(B, T.Rows[*Operation.Row].Known),
                                B.getInt64(NoBlock)));
    return Any;
  }

  /// \returns a load like that of \p Element, at \p Pointer, from the block in the slot.
  Value *readAgain(IRBuilderBase &B, const StripOperation &Element,
                   Value *Pointer) const {
    auto *Load = cast<LoadInst>(Element.Operation);
    auto *Copy = cast<LoadInst>(B.Insert(Load->clone()));
    Copy->dropUBImplyingAttrsAndMetadata();
    Copy->setOperand(LoadInst::getPointerOperandIndex(), Pointer);
    for (AccessGroup &Other : T.Groups)
      if (Other.Row == Element.Row)
        Other.RowLoads.push_back(Copy);
    return Copy;
  }

  /// \returns true if \p Store writes what the iteration has requested that comes
  /// \p Later than this one.
  Value *meets(IRBuilderBase &B, StoreInst *Store, Value *Later) const {
    ValueToValueMapTy Values;
    S.copyOperations(B, Later, Values,
                     [&](const StripOperation &Element, Value *Pointer) {
                       return readAgain(B, Element, Pointer);
                     });
    unsigned Before = accessBytes(Store) - 1;
    Value *End =
        B.CreateAdd(B.CreatePtrToInt(accessPointer(Store), B.getInt64Ty()),
                    B.getInt64(Before));
    Value *Any = B.getFalse();
    for (const Request &R : Group.Requests) {
      const AccessPart &First = R.Parts.front();
      Value *Pointer = mapped(Values, accessPointer(First.Access));
      Value *Address = B.CreateSub(B.CreatePtrToInt(Pointer, B.getInt64Ty()),
                                   B.getInt64(First.Offset));
      Any = B.CreateOr(Any, B.CreateICmpULT(B.CreateSub(End, Address),
                                            B.getInt64(R.bytes() + Before)));
    }
    return Any;
  }

  /// Where \p Store meets an iteration that follows, the strip ends: what is left
  /// of it is requested anew.
  void forgetAt(StoreInst *Store) {
    Instruction *Position = startOfGroup(T, Store);
    BasicBlock *Head = Position->getParent();
    BasicBlock *Rest = SplitBlock(Head, Position);
    BasicBlock *Begin = newBlock("strip.compare", Rest);
    BasicBlock *Compare = newBlock("strip.compare.one", Rest);
    BasicBlock *Next = newBlock("strip.compare.next", Rest);
    BasicBlock *Forget = newBlock("strip.forget", Rest);
    T.addBlocks(Head, {Begin, Compare, Next, Forget, Rest});

    IRBuilder<> B(Head->getTerminator());
    B.SetCurrentDebugLocation(Store->getDebugLoc());
    B.CreateCondBr(isRowForgotten(B), Forget, Begin, rarely());
    Head->getTerminator()->eraseFromParent();

    B.SetInsertPoint(Begin);
    Value *Begun = loadVariable(B, S.Begun), *All = loadVariable(B, S.All);
    Value *Now =
        B.CreateSub(Begun, B.getInt64(S.Before.contains(Store) ? 0 : 1));
    B.CreateCondBr(B.CreateICmpULT(Begun, All), Compare, Rest);

    B.SetInsertPoint(Compare);
    PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
    B.CreateCondBr(meets(B, Store, B.CreateSub(I, Now)), Forget, Next,
                   rarely());

    B.SetInsertPoint(Next);
    Value *Following = B.CreateAdd(I, B.getInt64(1));
    B.CreateCondBr(B.CreateICmpULT(Following, All), Compare, Rest);
    I->addIncoming(Begun, Begin);
    I->addIncoming(Following, Next);

    B.SetInsertPoint(Forget);
    Value *Done = loadVariable(B, S.Begun);
    B.CreateStore(B.CreateAdd(loadVariable(B, S.Left),
                              B.CreateSub(loadVariable(B, S.All), Done)),
                  S.Left);
    B.CreateStore(Done, S.All);
    B.CreateBr(Rest);
  }

  /// \returns true if the task has the block of \p Row that \p Address lies in.
  Value *isInSlot(IRBuilderBase &B, const TaskRow &Row, Value *Address) const {
    return B.CreateICmpULT(B.CreateSub(Address, loadVariable(B, Row.Known)),
                           B.getInt64(Row.slotBytes()));
  }

  /// \returns how far the task has the row behind \p Address, the last byte not
  /// counted, in the direction in which its elements are read, and without going
  /// on from the end of the row's part of the slot at its beginning.
  Value *bytesBehind(IRBuilderBase &B, const TaskRow &Row, bool Upwards,
                     Value *Address) const {
    Value *Place = B.CreateSub(Address, loadVariable(B, Row.Known));
    if (!Upwards)
      return Place;
    Value *Last = B.getInt64(Row.slotBytes() - 1);
    Value *Known = B.CreateSub(Last, Place);
    return Row.HasNext ? B.CreateBinaryIntrinsic(
                             Intrinsic::umin, Known,
                             B.CreateAnd(B.CreateNot(Address), Last))
                       : Known;
  }

  /// Where the strip is all in the second of two blocks and the row goes on behind
  /// them, the block there is requested, too, and takes the place of the first.
  void requestNext(IRBuilderBase &B, Value *More) {
    for (const StripOperation &Operation : S.Operations) {
      if (!Operation.Row || !T.Rows[*Operation.Row].HasNext)
        continue;
      const TaskRow &Row = T.Rows[*Operation.Row];
      Value *Address = B.CreatePtrToInt(Operation.Pointer, B.getInt64Ty());
      Value *Last =
          B.CreateAdd(Address, B.CreateMul(More, B.getInt64(Operation.Step)));
      Value *Known = loadVariable(B, Row.Known);
      Value *Block = B.getInt64(Row.BlockBytes);
      Value *InSecond = B.CreateICmpUGE(B.CreateSub(Address, Known), Block);
      Value *GoesOn = B.CreateICmpUGE(B.CreateSub(Last, Known),
                                      B.getInt64(Row.slotBytes()));
      Value *Wanted = B.CreateAnd(InSecond, GoesOn);
      if (!hasBlock(Operation))
        Wanted = B.CreateAnd(Wanted, isInSlot(B, Row, Address));
      Group.Next = {Wanted,
                    B.CreateAdd(Known, B.getInt64(Row.slotBytes())),
                    B.CreateAdd(Known, Block),
                    Row.Known,
                    Row.SlotOffset,
                    Row.BlockBytes};
    }
  }

  /// \returns true if where a strip begins the task surely has the block of
  /// \p Element: nothing can have made it forget that behind the element's load.
  bool hasBlock(const StripOperation &Element) const {
    const auto *Load = cast<Instruction>(Element.Operation);
    const TaskRow &Row = T.Rows[*Element.Row];
    if (Row.Strip && Row.Stores.empty())
      return true;
    if (!Row.Strip || Load->getParent() != Where)
      return false;
    while ((Load = Load->getNextNode()))
      if (isa<StoreInst>(Load))
        return false;
    return true;
  }

  /// Moves what only addresses need to where a strip begins, and copies it to other
  /// uses: iterations inside a strip do without it, where those are rarely reached.
  void sinkOperations(BasicBlock *Fill) {
    for (const StripOperation &Operation : reverse(S.Operations)) {
      auto *I = cast<Instruction>(Operation.Operation);
      if (I->getParent() != Where ||
          (Operation.Row ? !T.Rows[*Operation.Row].Strip
                         : I->mayReadFromMemory()) ||
          any_of(I->uses(),
                 [&](Use &U) { return positionOf(U)->getParent() == Where; }))
        continue;
      for (Use &U : make_early_inc_range(I->uses())) {
        Instruction *Position = positionOf(U);
        if (Position->getParent() == Fill)
          continue;
        IRBuilder<> B(startOfGroup(T, Position));
        U.set(Operation.Row ? readAgain(B, Operation, Operation.Pointer)
                            : B.Insert(I->clone()));
      }
      I->moveBefore(&*Fill->getFirstInsertionPt());
    }
  }

  /// \returns how many iterations behind this one the strip has: those whose
  /// elements are in the slot, too.
  Value *following(IRBuilderBase &B, Value *More) const {
    Value *Least = B.CreateBinaryIntrinsic(Intrinsic::umin, More,
                                           B.getInt64(Group.Length - 1));
    for (const StripOperation &Operation :
         concat<StripOperation>(S.Operations, S.Beside)) {
      if (!Operation.Row)
        continue;
      const TaskRow &Row = T.Rows[*Operation.Row];
      Value *Address = B.CreatePtrToInt(Operation.Pointer, B.getInt64Ty());
      Value *Elements =
          B.CreateUDiv(bytesBehind(B, Row, Operation.Step > 0, Address),
                       B.getInt64(std::abs(Operation.Step)));
      if (!hasBlock(Operation))
        Elements =
            B.CreateSelect(isInSlot(B, Row, Address), Elements, B.getInt64(0));
      Least = B.CreateBinaryIntrinsic(Intrinsic::umin, Least, Elements);
    }
    return Least;
  }

  void request() {
    Instruction *First = Group.accesses().front();
    BasicBlock *Head = First->getParent();
    BasicBlock *Use = SplitBlock(Head, First);
    BasicBlock *Fill = newBlock("strip.fill", Use);
    T.addBlocks(Head, {Fill, Use});

    IRBuilder<> B(Head->getTerminator());
    B.SetCurrentDebugLocation(First->getDebugLoc());
    Value *Begins =
        B.CreateICmpEQ(loadVariable(B, S.Begun), loadVariable(B, S.All));
    S.Tests.push_back(Begins);
    B.CreateCondBr(Begins, Fill, Use);
    Head->getTerminator()->eraseFromParent();

    Where = Head;
    B.SetInsertPoint(Fill);
    Value *More = loadVariable(B, S.Left);
    Value *Following = following(B, More);
    S.Count = B.CreateAdd(Following, B.getInt64(1));
    B.CreateStore(S.Count, S.All);
    requestNext(B, More);
    B.CreateStore(B.getInt64(0), S.Begun);
    B.CreateStore(B.CreateSub(More, S.Count), S.Left);
    for (auto [Number, R] : enumerate(Group.Requests))
      for (AccessPart &Part : R.Parts) {
        auto *Load = cast<LoadInst>(Part.Access);
        S.Loads.push_back({Load, unsigned(Number), Part.Offset, nullptr});
        Part.Access = B.Insert(Load->clone());
      }
    B.CreateBr(Use);

    B.SetInsertPoint(First);
    Value *Index = loadVariable(B, S.Begun);
    for (StripLoad &Part : S.Loads)
      Part.Index = Index;
    B.CreateStore(B.CreateAdd(Index, B.getInt64(1)), S.Begun);
    sinkOperations(Fill);
    if (!separateStripLoop(T, Group, Fill, Use))
      enterStrip(Fill, Use);
  }

  /// Where nothing is left to do between the comparison for the row and the one for
  /// the strip, which are the same, the first decides for both.
  void enterStrip(BasicBlock *Fill, BasicBlock *Use) {
    constexpr unsigned Comparison = 4;
    if (Where->sizeWithoutDebug() != Comparison)
      return;
    for (BasicBlock *From : predecessors(Where)) {
      auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
      if (!Branch || !Branch->isConditional() ||
          Branch->getSuccessor(1) != Where ||
          !is_contained(S.Tests, Branch->getCondition()))
        continue;
      Branch->setSuccessor(1, Use);
      BranchInst::Create(Fill, Where->getTerminator());
      Where->getTerminator()->eraseFromParent();
      return;
    }
  }
};

} // namespace

void asyncmem::createStrips(TaskLoop &T) {
  for (AccessGroup &Group : T.Groups)
    if (Group.Strip)
      StripCode(T, Group).createVariables();
}

void asyncmem::runStrips(TaskLoop &T) {
  for (AccessGroup &Group : T.Groups)
    if (Group.Strip)
      StripCode(T, Group).build();
}
