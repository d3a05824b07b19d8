// SPDX-License-Identifier: Apache-2.0

#include "tasks/RowLoops.h"
#include "common/Calls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace asyncmem;

namespace {

/// A larger loop gains little by what is done once in it.
constexpr unsigned MaxInstructions = 128;

/// What is done less often than once in so many times does not count.
constexpr unsigned RareFactor = 500;

/// An element that the second loop reads, its block and its place in it.
struct RowElement {
  AccessGroup *Group;
  LoadInst *Load;
  Value *Place;
};

class RowLoop {
public:
  RowLoop(TaskLoop &T, BasicBlock *Header)
      : T(T), F(*Header->getParent()), Header(Header) {}

  void separate() {
    if (!findQuickPath() || !findElements())
      return;
    createBlocks();
    copyBlocks();
    redirectLatches();
    foldPhis();
    guard();
    foldPhis();
    decideBefore();
    moveBases();
    correctUses();
  }

private:
  using Blocks = SmallSetVector<BasicBlock *, 16>;

  TaskLoop &T;
  Function &F;
  BasicBlock *Header;
  /// The blocks of an iteration that waits for nothing.
  Blocks Quick;
  SmallVector<AccessGroup *, 2> Groups;
  /// In front of the second loop, and its first block.
  BasicBlock *Entry = nullptr, *Begin = nullptr;
  SmallVector<BasicBlock *, 16> Copies;
  ValueToValueMapTy Copy;
  /// The values of the header's phis at Entry.
  DenseMap<PHINode *, PHINode *> AtEntry;
  SmallVector<RowElement, 2> Elements;

  bool isInLoop(const BasicBlock *BB) const {
    return BB != T.Header && is_contained(T.Blocks, BB);
  }

  bool waits(const BasicBlock *BB) const {
    return any_of(T.Groups, [&](const AccessGroup &Group) {
      return Group.accesses().front()->getParent() == BB;
    });
  }

  static bool isRare(const BasicBlock *From, const BasicBlock *To) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    uint64_t True, False;
    if (!Branch || !Branch->isConditional() ||
        !extractBranchWeights(*Branch, True, False))
      return false;
    bool IsTrue = Branch->getSuccessor(0) == To;
    return (IsTrue ? True : False) * RareFactor < (IsTrue ? False : True);
  }

  /// \returns the blocks that an iteration may run from the header on, or, \p
  /// Backward, from which it may come to its end, without a wait.
  Blocks reach(bool Backward) const {
    Blocks Found;
    SmallVector<BasicBlock *, 16> Work = {Header};
    while (!Work.empty()) {
      BasicBlock *BB = Work.pop_back_val();
      auto Visit = [&](BasicBlock *Next, bool Rare) {
        if (!Rare && isInLoop(Next) && !waits(Next) && Found.insert(Next) &&
            Next != Header)
          Work.push_back(Next);
      };
      if (Backward)
        for (BasicBlock *Next : predecessors(BB))
          Visit(Next, isRare(Next, BB));
      else
        for (BasicBlock *Next : successors(BB))
          Visit(Next, isRare(BB, Next));
    }
    return Found;
  }

  bool findQuickPath() {
    SmallPtrSet<BasicBlock *, 4> From;
    if (waits(Header) || !all_of(predecessors(Header), [&](BasicBlock *BB) {
          return From.insert(BB).second;
        }))
      return false;
    Blocks Forward = reach(/*Backward=*/false);
    if (!Forward.contains(Header))
      return false;
    for (BasicBlock *BB : reach(/*Backward=*/true))
      if (Forward.contains(BB))
        Quick.insert(BB);
    unsigned Count = 0;
    for (BasicBlock *BB : Quick) {
      Count += BB->sizeWithoutDebug();
      if (!isa<BranchInst>(BB->getTerminator()) ||
          any_of(*BB, [](const Instruction &I) {
            auto *Call = dyn_cast<CallBase>(&I);
            return I.getType()->isTokenTy() ||
                   (Call && (Call->cannotDuplicate() || Call->isConvergent()));
          }))
        return false;
    }
    return Count <= MaxInstructions;
  }

  /// \returns the one value that \p Phi has in iterations that do not wait, or
  /// itself.
  const Value *onlyValue(const PHINode &Phi) const {
    const Value *Only = nullptr;
    for (auto [From, In] : zip(Phi.blocks(), Phi.incoming_values()))
      if (Quick.contains(From) && In != Only) {
        if (Only)
          return &Phi;
        Only = In;
      }
    return Only;
  }

  /// \returns true if \p V can be computed where an iteration begins.
  bool isEarly(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Quick.contains(const_cast<BasicBlock *>(I->getParent())))
      return true;
    if (auto *Phi = dyn_cast<PHINode>(I))
      return Phi->getParent() == Header ||
             (onlyValue(*Phi) != Phi && isEarly(onlyValue(*Phi)));
    return isSafeToSpeculativelyExecute(I) && !I->mayReadOrWriteMemory() &&
           all_of(I->operands(), [&](const Value *Op) { return isEarly(Op); });
  }

  bool findElements() {
    for (AccessGroup &Group : T.Groups)
      if (Group.RowCheck && Group.RowHeader == Header &&
          Quick.contains(Group.RowCheck->getParent()) &&
          Quick.contains(Group.RowLoads.front()->getParent()) &&
          isEarly(Group.RowLoads.front()->getPointerOperand()) &&
          isEarly(Group.RowCheck->getOperand(1)))
        Groups.push_back(&Group);
    return !Groups.empty();
  }

  void createBlocks() {
    Entry = BasicBlock::Create(F.getContext(), "row.loop", &F, Header);
    for (BasicBlock *BB : Quick)
      Copies.push_back(CloneBasicBlock(BB, Copy, ".row", &F));
    for (auto [BB, New] : zip(Quick, Copies))
      Copy[BB] = New;
    Begin = cast<BasicBlock>(Copy[Header]);
    auto At = std::next(find(T.Blocks, Header));
    SmallVector<BasicBlock *, 16> New = {Entry};
    append_range(New, Copies);
    T.Blocks.insert(At, New.begin(), New.end());
  }

  void copyBlocks() {
    for (auto [BB, New] : zip(Quick, Copies)) {
      for (BasicBlock *To : successors(BB))
        if (!Quick.contains(To))
          for (PHINode &Phi : To->phis()) {
            Value *In = Phi.getIncomingValueForBlock(BB);
            Value *Copied = Copy.lookup(In);
            Phi.addIncoming(Copied ? Copied : In, New);
          }
      for (PHINode &Phi : New->phis())
        for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
          if (!Quick.contains(Phi.getIncomingBlock(I)))
            Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
      for (Instruction &I : *New)
        RemapInstruction(&I, Copy,
                         RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  }

  /// Behind an iteration that runs as before comes the second loop.
  void redirectLatches() {
    Blocks Reached;
    SmallVector<BasicBlock *, 16> Work = {Header};
    while (!Work.empty())
      for (BasicBlock *Next : successors(Work.pop_back_val()))
        if (isInLoop(Next) && Reached.insert(Next))
          Work.push_back(Next);
    SmallVector<BasicBlock *, 2> Latches;
    for (BasicBlock *From : predecessors(Header))
      if (Reached.contains(From) && !is_contained(Copies, From) &&
          !is_contained(Latches, From))
        Latches.push_back(From);
    IRBuilder<> B(Entry);
    for (PHINode &Phi : Header->phis()) {
      PHINode *First = AtEntry[&Phi] =
          B.CreatePHI(Phi.getType(), Latches.size(), Phi.getName() + ".entry");
      for (BasicBlock *From : Latches) {
        First->addIncoming(Phi.getIncomingValueForBlock(From), From);
        Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
      }
      cast<PHINode>(Copy[&Phi])->addIncoming(First, Entry);
    }
    for (BasicBlock *From : Latches)
      From->getTerminator()->replaceSuccessorWith(Header, Entry);
    B.CreateBr(Begin);
  }

  /// An edge from \p From to the iterations that run as before.
  void addWayBack(BasicBlock *From) {
    for (PHINode &Phi : Header->phis())
      Phi.addIncoming(From == Entry ? AtEntry.lookup(&Phi) : Copy.lookup(&Phi),
                      From);
  }

  /// Moves what computes \p V in a copy to \p Position.
  void moveUp(Value *V, Instruction *Position) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() == Begin || !is_contained(Copies, I->getParent()))
      return;
    for (Value *Op : I->operands())
      moveUp(Op, Position);
    I->moveBefore(Position);
    I->dropPoisonGeneratingFlags();
  }

  /// Goes on where all elements lie in the blocks that the task has.
  void guard() {
    BasicBlock *Rest = SplitBlock(Begin, Begin->getFirstNonPHI());
    Copies.push_back(Rest);
    T.Blocks.insert(std::next(find(T.Blocks, Begin)), Rest);
    Instruction *Position = Begin->getTerminator();
    Value *Outside = nullptr;
    IRBuilder<> B(Position);
    for (AccessGroup *Group : Groups) {
      const unsigned Bytes = Group->Requests.front().bytes();
      auto *Load = cast<LoadInst>(Copy[Group->RowLoads.front()]);
      auto *Check = cast<ICmpInst>(Copy[Group->RowCheck]);
      Value *Pointer = Load->getPointerOperand(), *Known = Check->getOperand(1);
      moveUp(Pointer, Position);
      moveUp(Known, Position);
      Value *Place =
          B.CreateSub(B.CreatePtrToInt(Pointer, B.getInt64Ty()), Known);
      Value *Leaves = B.CreateICmpUGE(Place, B.getInt64(Bytes));
      Outside = Outside ? B.CreateOr(Outside, Leaves) : Leaves;
      Elements.push_back({Group, Load, Place});
      useBlock(Pointer, Known, Bytes);
    }
    B.CreateCondBr(Outside, Header, Rest,
                   MDBuilder(F.getContext()).createBranchWeights(1, 16));
    Position->eraseFromParent();
    addWayBack(Begin);
    for (RowElement &E : Elements) {
      auto *Check = cast<ICmpInst>(Copy[E.Group->RowCheck]);
      take(cast<BranchInst>(Check->getParent()->getTerminator()),
           /*Successor=*/0);
      E.Group->RowReads.push_back({E.Load, E.Place});
    }
  }

  /// Behind the guard the line around \p Pointer begins at \p Known.
  void useBlock(Value *Pointer, Value *Known, unsigned Bytes) {
    for (BasicBlock *BB : Copies)
      for (Instruction &I : make_early_inc_range(*BB))
        if (match(&I, m_And(m_PtrToInt(m_Specific(Pointer)),
                            m_SpecificInt(-int64_t(Bytes)))))
          I.replaceAllUsesWith(Known);
  }

  /// \p Branch always goes to its successor number \p Index.
  void take(BranchInst *Branch, unsigned Index) {
    BasicBlock *To = Branch->getSuccessor(Index);
    BasicBlock *Other = Branch->getSuccessor(1 - Index);
    if (To != Other)
      Other->removePredecessor(Branch->getParent(), /*KeepOneInputPHIs=*/true);
    BranchInst::Create(To, Branch)->setDebugLoc(Branch->getDebugLoc());
    Branch->eraseFromParent();
  }

  bool isInvariant(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return !I || !is_contained(Copies, I->getParent());
  }

  /// What has one value in the second loop becomes that value, above all what is
  /// the same for all its elements.
  void foldPhis() {
    bool Changed = true;
    while (Changed) {
      Changed = false;
      for (BasicBlock *BB : Copies)
        for (PHINode &Phi : make_early_inc_range(BB->phis())) {
          Value *Same = nullptr;
          for (Value *In : Phi.incoming_values())
            if (In != &Phi && In != Same)
              Same = Same ? &Phi : In;
          if (!Same || Same == &Phi)
            continue;
          Phi.replaceAllUsesWith(Same);
          Phi.eraseFromParent();
          Changed = true;
        }
    }
  }

  /// What the second loop would decide the same way for each element is decided
  /// at its entry: if it is not left to wait there, it is not entered.
  void decideBefore() {
    IRBuilder<> B(Entry->getTerminator());
    Value *Leaves = nullptr;
    for (BasicBlock *BB : Copies) {
      auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      if (!Branch || !Branch->isConditional())
        continue;
      const bool Stays[] = {is_contained(Copies, Branch->getSuccessor(0)),
                            is_contained(Copies, Branch->getSuccessor(1))};
      auto *Check = dyn_cast<ICmpInst>(Branch->getCondition());
      if (!Check || Stays[0] == Stays[1] ||
          !all_of(Check->operands(),
                  [&](Value *Op) { return isInvariant(Op); }))
        continue;
      Value *Early = B.Insert(Check->clone());
      if (Stays[0])
        Early = B.CreateNot(Early);
      Leaves = Leaves ? B.CreateOr(Leaves, Early) : Early;
      take(Branch, Stays[0] ? 0 : 1);
    }
    if (!Leaves)
      return;
    B.CreateCondBr(Leaves, Header, Begin,
                   MDBuilder(F.getContext()).createBranchWeights(1, 1000));
    Entry->getTerminator()->eraseFromParent();
    addWayBack(Entry);
  }

  /// The distance of an address from a value that all elements have is the address
  /// behind a base that is as much lower.
  void moveBases() {
    for (BasicBlock *BB : Copies)
      for (Instruction &I : *BB) {
        Value *Address, *From;
        if (!match(&I, m_Sub(m_PtrToInt(m_Value(Address)), m_Value(From))) ||
            !isInvariant(From) || any_of(Elements, [&](const RowElement &E) {
              return E.Place == &I;
            }))
          continue;
        auto *Gep = dyn_cast<GetElementPtrInst>(Address);
        if (!Gep || !isInvariant(Gep->getPointerOperand()))
          continue;
        IRBuilder<> AtEntry(Entry->getTerminator()), B(&I);
        Value *Base =
            AtEntry.CreateGEP(AtEntry.getInt8Ty(), Gep->getPointerOperand(),
                              AtEntry.CreateNeg(From));
        auto *Place = cast<GetElementPtrInst>(Gep->clone());
        Place->setOperand(Place->getPointerOperandIndex(), Base);
        Place->setIsInBounds(false);
        I.replaceAllUsesWith(B.CreatePtrToInt(B.Insert(Place), I.getType()));
      }
  }

  /// Where both loops may come from, their values are joined.
  void correctUses() {
    SmallVector<PHINode *, 8> New;
    SSAUpdater Updater(&New);
    for (BasicBlock *BB : Quick)
      for (Instruction &I : *BB) {
        if (I.getType()->isVoidTy())
          continue;
        SmallVector<Use *, 8> Uses;
        for (Use &U : I.uses()) {
          auto *By = cast<Instruction>(U.getUser());
          if (!is_contained(Copies, By->getParent()) &&
              (By->getParent() != BB || isa<PHINode>(By)))
            Uses.push_back(&U);
        }
        if (Uses.empty())
          continue;
        Value *Copied = Copy.lookup(&I);
        auto *Other = dyn_cast<Instruction>(Copied);
        Updater.Initialize(I.getType(), I.getName());
        Updater.AddAvailableValue(BB, &I);
        Updater.AddAvailableValue(
            Other && is_contained(Copies, Other->getParent())
                ? Other->getParent()
                : Begin,
            Copied);
        for (Use *U : Uses)
          Updater.RewriteUse(*U);
      }
  }
};

} // namespace

void asyncmem::separateRowLoops(TaskLoop &T) {
  SmallSetVector<BasicBlock *, 2> Headers;
  for (const AccessGroup &Group : T.Groups)
    if (Group.RowCheck)
      Headers.insert(Group.RowHeader);
  for (const AccessGroup &Group : T.Groups)
    if (Group.Strip)
      Headers.remove(Group.RowHeader);
  for (BasicBlock *Header : Headers)
    RowLoop(T, Header).separate();
}
