// SPDX-License-Identifier: Apache-2.0

#include "tasks/RowLoops.h"
#include "tasks/LoopCopy.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace asyncmem;

namespace {

/// An element that the second loop reads, its block and its place in it.
struct RowElement {
  AccessGroup *Group;
  LoadInst *Load;
  Value *Place;
  /// Where the block begins. Only what was requested comes there, so it is never
  /// poison.
  TrackingVH<Value> Known;
};

class RowLoop : LoopCopy {
public:
  RowLoop(TaskLoop &T, BasicBlock *Header) : LoopCopy(T, Header) {}

  void separate() {
    if (!findQuickPath() || !findElements())
      return;
    copyBlocks("row.loop");
    redirectLatches();
    foldPhis();
    guard();
    foldPhis();
    decideBefore();
    moveBases();
    correctUses();
  }

private:
  SmallVector<AccessGroup *, 2> Groups;
  SmallVector<RowElement, 2> Elements;

  bool findQuickPath() {
    SmallPtrSet<BasicBlock *, 4> From;
    if (waits(Header) || !all_of(predecessors(Header), [&](BasicBlock *BB) {
          return From.insert(BB).second;
        }))
      return false;
    Blocks Forward = reachedFrom(Header);
    if (!Forward.contains(Header))
      return false;
    for (BasicBlock *BB : reachingHeader())
      if (Forward.contains(BB))
        Quick.insert(BB);
    return canCopy();
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

  /// Behind an iteration that runs as before comes the second loop.
  void redirectLatches() {
    SmallVector<BasicBlock *, 2> Latches = latches();
    createEntryPhis(Latches.size());
    for (PHINode &Phi : Header->phis())
      for (BasicBlock *From : Latches) {
        AtEntry[&Phi]->addIncoming(Phi.getIncomingValueForBlock(From), From);
        Phi.removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
      }
    for (BasicBlock *From : Latches)
      From->getTerminator()->replaceSuccessorWith(Header, Entry);
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

  /// \returns true if each iteration compares \p V, so that it is no poison.
  bool isAlwaysCompared(Value *V) const {
    auto IsCompared = [](const Value *V) {
      auto *I = dyn_cast<Instruction>(V);
      return I && programUndefinedIfPoison(I);
    };
    return IsCompared(V) || any_of(Header->phis(), [&](PHINode &Phi) {
             return AtEntry.lookup(&Phi) == V && IsCompared(&Phi);
           });
  }

  /// \returns \p V, or any one value where it is poison, as it may be in iterations
  /// that do not compare it.
  Value *settle(IRBuilderBase &B, Value *V) const {
    return isGuaranteedNotToBeUndefOrPoison(V) || isAlwaysCompared(V) ||
                   any_of(Elements,
                          [&](const RowElement &E) { return E.Known == V; })
               ? V
               : B.CreateFreeze(V);
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
      Value *Place = B.CreateSub(
          B.CreatePtrToInt(settle(B, Pointer), B.getInt64Ty()), Known);
      Value *Leaves = B.CreateICmpUGE(Place, B.getInt64(Bytes));
      Outside = Outside ? B.CreateOr(Outside, Leaves) : Leaves;
      Elements.push_back({Group, Load, Place, Known});
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
      Value *Early =
          B.CreateICmp(Check->getPredicate(), settle(B, Check->getOperand(0)),
                       settle(B, Check->getOperand(1)));
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
