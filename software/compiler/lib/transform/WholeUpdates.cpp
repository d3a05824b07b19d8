// SPDX-License-Identifier: Apache-2.0
// Updates of local memory by a commutative operation that optimisation has
// taken apart: "old = *p; ... new = old op a op b; ... *p = new" with a remote
// access in between would lose what other tasks add to *p meanwhile. Written as
// "sum = a op b; ... *p = *p op sum" they are whole again; or "*p = *p op a; ...
// *p = *p op b", if *p held what each of them reads. In an inner loop that
// updates one place, "old" may also be what the last iteration has written, in a
// register: it is read again. So is behind the loop what its last iteration left.
//
//   old = *p; ... x[i] ...; *p = old + 1;   ->   ... x[i] ...; *p = *p + 1;

#include "transform/Transforms.h"
#include "analysis/Analyses.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Whether a place in memory holds a value that the program has in a register: backwards from
/// where it is asked, a store of the value to the place, or a load of the value from it, says
/// yes; another instruction that may write there says no. At the begin of a block all ways
/// into it must agree, for the operand of a phi each its own. A question that is being
/// answered already counts as yes.
///
///   *p = v; if (c) g = 1; -> *p holds v     *p = v; f(); -> unknown, if f may write *p
class HeldValue {
public:
  /// \p Load, if it is not null, is the only one that the value may come from; \p
  /// Phi is taken to hold it.
  HeldValue(const Value &Pointer, const MemoryLocation &Place, AAResults &AA,
            const PHINode *Phi = nullptr, const LoadInst *Load = nullptr)
      : Pointer(Pointer), Place(Place), AA(AA), Phi(Phi), Load(Load) {}

  /// What is asked is whether the place holds \p V there.
  bool isHeldAt(const Value &V, const Instruction &I) {
    return isHeldFrom(V, I.getPrevNode(), *I.getParent());
  }

  bool isHeldAtTheBegin(const Value &V, const BasicBlock &BB) {
    auto *Joined = dyn_cast<PHINode>(&V);
    bool IsJoined = Joined && Joined->getParent() == &BB;
    return all_of(predecessors(&BB), [&](const BasicBlock *Before) {
      return isHeldAtTheEnd(
          IsJoined ? *Joined->getIncomingValueForBlock(Before) : V, *Before);
    });
  }

  bool isHeldAtTheEnd(const Value &V, const BasicBlock &BB) {
    return !Seen.insert({&V, &BB}).second || isHeldFrom(V, &BB.back(), BB);
  }

private:
  const Value &Pointer;
  MemoryLocation Place;
  AAResults &AA;
  const PHINode *Phi;
  const LoadInst *Load;
  DenseSet<std::pair<const Value *, const BasicBlock *>> Seen;

  /// \returns nothing if \p I does not decide it.
  std::optional<bool> isHeldBehind(const Value &V, const Instruction &I) {
    if (&I == Load)
      return &V == Load;
    auto *Store = dyn_cast<StoreInst>(&I);
    if (Store && Store->getPointerOperand() == &Pointer)
      return Store->isSimple() && Store->getValueOperand() == &V;
    if (&I == &V && !isa<PHINode>(I)) {
      auto *Read = dyn_cast<LoadInst>(&I);
      return Read && Read->isSimple() && Read->getPointerOperand() == &Pointer;
    }
    if (&I == &Pointer ||
        (I.mayWriteToMemory() && isModSet(AA.getModRefInfo(&I, Place))))
      return false;
    return std::nullopt;
  }

  /// The same behind \p Last in \p BB; at the begin of it if that is null.
  bool isHeldFrom(const Value &V, const Instruction *Last,
                  const BasicBlock &BB) {
    for (const Instruction *I = Last; I; I = I->getPrevNode())
      if (std::optional<bool> Held = isHeldBehind(V, *I))
        return *Held;
    if (&V == Phi && &BB == Phi->getParent())
      return true;
    return !BB.isEntryBlock() && isHeldAtTheBegin(V, BB);
  }
};

LoadInst *readAgain(const LoadInst &Load, IRBuilderBase &B) {
  LoadInst *Now = B.CreateAlignedLoad(
      Load.getType(), const_cast<Value *>(Load.getPointerOperand()),
      Load.getAlign());
  Now->copyMetadata(Load, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope,
                           LLVMContext::MD_noalias});
  return Now;
}

/// What follows from one load by one commutative operation.
class SplitUpdate {
public:
  SplitUpdate(const TaskLoop &T, LoadInst &Load) : T(T), Load(Load) {}

  /// \returns true if nothing follows from the load but stores to its place.
  bool find() {
    Chain.insert(&Load);
    for (unsigned N = 0; N != Chain.size(); ++N)
      for (User *U : Chain[N]->users())
        if (!follow(*cast<Instruction>(U), *Chain[N]))
          return false;
    return !Stores.empty() && Opcode &&
           all_of(Chain, [&](Instruction *I) { return hasChainOperands(*I); });
  }

  /// \returns true if a remote access, and no other write to the place, can
  /// come between the load and what follows from it.
  bool isSuspended(AAResults &AA) const {
    MemoryLocation Place = MemoryLocation::get(&Load);
    bool Suspended = false;
    for (const Instruction *I : behind(Load)) {
      bool Writes = I->mayWriteToMemory() && !isFatal(*I) &&
                    !is_contained(Stores, I) &&
                    isModSet(AA.getModRefInfo(I, Place));
      if ((!Writes && !T.isRemote(I)) || !isWantedBehind(*I))
        continue;
      if (Writes)
        return false;
      Suspended = true;
    }
    return Suspended;
  }

  /// \returns false if the updates have neither form.
  bool makeWhole(AAResults &AA) {
    if (areWholeIfReadAgain(AA))
      readAgainAtUpdates(AA);
    else if (isStoredAtTheEnd())
      addAtTheEnd();
    else
      return false;
    for (Instruction *I : reverse(Chain))
      if (!isa<BinaryOperator>(I) && I->use_empty())
        I->eraseFromParent();
    return true;
  }

private:
  const TaskLoop &T;
  LoadInst &Load;
  SmallVector<StoreInst *, 2> Stores;
  /// The operation; a subtraction from the chain counts as an addition.
  unsigned Opcode = 0;
  SmallSetVector<Instruction *, 8> Chain;

  /// \returns what can follow \p From in the iteration before the load does.
  SmallVector<const Instruction *, 32> behind(const Instruction &From) const {
    SmallVector<const Instruction *, 32> Found;
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const Instruction *, 16> Work = {From.getNextNode()};
    while (!Work.empty())
      for (const Instruction *I = Work.pop_back_val(); I && I != &Load;
           I = I->getNextNode()) {
        Found.push_back(I);
        if (!I->isTerminator())
          continue;
        for (const BasicBlock *Next : successors(I->getParent()))
          if (Next != T.Header && T.L->contains(Next) &&
              Seen.insert(Next).second)
            Work.push_back(&Next->front());
      }
    return Found;
  }

  /// \returns true if an operation or a store of the chain can follow \p From.
  bool isWantedBehind(const Instruction &From) const {
    return any_of(behind(From), [&](const Instruction *I) {
      return !isa<PHINode>(I) && (inChain(I) || is_contained(Stores, I));
    });
  }

  bool inChain(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && Chain.contains(const_cast<Instruction *>(I));
  }

  bool follow(Instruction &I, Instruction &V) {
    if (!T.L->contains(&I))
      return false;
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->getValueOperand() != &V || &V == &Load || !Store->isSimple() ||
          Store->getPointerOperand() != Load.getPointerOperand())
        return false;
      Stores.push_back(Store);
      return true;
    }
    if (isa<PHINode>(I)) {
      Chain.insert(&I);
      return I.getParent() != T.Header;
    }
    auto *Binary = dyn_cast<BinaryOperator>(&I);
    if (!Binary)
      return false;
    unsigned Found = commutativeOpcode(*Binary, &V);
    if (!Found || (Opcode && Opcode != Found))
      return false;
    Opcode = Found;
    Chain.insert(&I);
    return true;
  }

  /// A phi takes values of the chain only, an operation exactly one.
  bool hasChainOperands(const Instruction &I) const {
    auto IsInside = [&](const Value *V) { return inChain(V); };
    if (isa<PHINode>(I))
      return all_of(I.operands(), IsInside);
    return &I == &Load || count_if(I.operands(), IsInside) == 1;
  }

  Use &chainOperand(Instruction &I) const {
    return *find_if(I.operands(), [&](const Use &U) { return inChain(U); });
  }

  /// The place holds what the operation \p I of the chain reads, as far as other
  /// tasks do not write there.
  bool isHeldAt(Instruction &I, AAResults &AA) const {
    return HeldValue(*Load.getPointerOperand(), MemoryLocation::get(&Load), AA,
                     nullptr, &Load)
        .isHeldAt(*chainOperand(I), I);
  }

  /// \returns true if no task comes between \p V, which is no phi, and \p I, behind it.
  bool follows(const Instruction &I, const Value *V) const {
    const Instruction *Before = &I;
    do
      Before = Before->getPrevNode();
    while (Before && Before != V && !T.isRemote(Before));
    return Before == V && !isa<PHINode>(Before);
  }

  bool storesAtOnce(const StoreInst &Store) const {
    return follows(Store, Store.getValueOperand());
  }

  bool isStoredAtOnce(const Instruction &I) const {
    return any_of(Stores, [&](const StoreInst *Store) {
      return Store->getValueOperand() == &I && storesAtOnce(*Store);
    });
  }

  /// Each operation then updates what the place holds, and each store stores that.
  bool areWholeIfReadAgain(AAResults &AA) const {
    return all_of(Stores,
                  [&](const StoreInst *S) { return storesAtOnce(*S); }) &&
           all_of(Chain, [&](Instruction *I) {
             return !isa<BinaryOperator>(I) ||
                    (isStoredAtOnce(*I) &&
                     (follows(*I, chainOperand(*I)) || isHeldAt(*I, AA)));
           });
  }

  /// Once for each load: a store repeated without it would add the first
  /// amounts again.
  bool isStoredAtTheEnd() const {
    const BasicBlock *Store = Stores.front()->getParent();
    auto StaysBehindLoad = [&](const BasicBlock *, const BasicBlock *Next) {
      return Next != Load.getParent() && Next != T.Header &&
             T.L->contains(Next);
    };
    return Stores.size() == 1 &&
           !blocksBehind(Store, StaysBehindLoad).contains(Store);
  }

  void readAgainAtUpdates(AAResults &AA) {
    SmallVector<Instruction *, 8> Held;
    for (Instruction *I : Chain)
      if (isa<BinaryOperator>(I) && isHeldAt(*I, AA))
        Held.push_back(I);
    for (Instruction *I : Held) {
      IRBuilder<> B(I);
      chainOperand(*I).set(readAgain(Load, B));
    }
    for (Instruction *I : Chain)
      if (isa<PHINode>(I))
        I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  }

  /// The chain starts with the neutral element; the store adds it to what the
  /// place holds then.
  void addAtTheEnd() {
    for (Instruction *I : Chain)
      I->dropPoisonGeneratingFlags();
    Load.replaceAllUsesWith(
        ConstantExpr::getBinOpIdentity(Opcode, Load.getType()));
    StoreInst *Store = Stores.front();
    IRBuilder<> B(Store);
    LoadInst *Now = readAgain(Load, B);
    Store->setOperand(0, B.CreateBinOp(Instruction::BinaryOps(Opcode), Now,
                                       Store->getValueOperand()));
  }
};

} // namespace

/// \returns true if \p Load is of local memory that tasks may share.
static bool isSharedLoad(const TaskLoop &T, const LoadInst &Load) {
  return Load.isSimple() && Load.getType()->isIntegerTy() &&
         !T.isRemote(&Load) && !isPrivate(T, Load.getPointerOperand());
}

/// \returns true if \p V follows from what the loop has read at \p Pointer.
static bool isUpdated(const TaskLoop &T, Value *V, const Value *Pointer) {
  return comesFrom(T, V, [&](Instruction &From) {
    auto *Load = dyn_cast<LoadInst>(&From);
    if (!Load)
      return Origin::GoOn;
    return Load->getPointerOperand() == Pointer ? Origin::Found : Origin::Ends;
  });
}

/// \returns the stores of \p V in the loop; where several values meet in it, those
/// of each.
static SmallVector<StoreInst *, 4> storesOf(const TaskLoop &T, Value *V) {
  SmallVector<StoreInst *, 4> Stores;
  SmallSetVector<Value *, 8> Values;
  Values.insert(V);
  for (unsigned N = 0; N != Values.size(); ++N) {
    for (User *U : Values[N]->users())
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && Store->getValueOperand() == Values[N] &&
          T.L->contains(Store))
        Stores.push_back(Store);
    if (auto *Phi = dyn_cast<PHINode>(Values[N]);
        Phi && Phi->getParent() != T.Header && T.L->contains(Phi))
      Values.insert(Phi->op_begin(), Phi->op_end());
  }
  return Stores;
}

/// \returns a store to the place that holds an update's newest value, \p V, where
/// the loop is left from \p Exiting, null if there is none.
static StoreInst *lastUpdate(const TaskLoop &T, Value *V, BasicBlock &Exiting,
                             AAResults &AA) {
  for (StoreInst *Store : storesOf(T, V)) {
    const Value *Pointer = Store->getPointerOperand();
    if (Store->isSimple() && !isPrivate(T, Pointer) &&
        isUpdated(T, V, Pointer) &&
        HeldValue(*Pointer, MemoryLocation::get(Store), AA)
            .isHeldAtTheEnd(*V, Exiting))
      return Store;
  }
  return nullptr;
}

/// Behind the loop reads again what updates have left in memory: the last
/// iteration is not always the last one that does.
static bool readLastUpdates(TaskLoop &T, AAResults &AA) {
  bool Changed = false;
  SmallVector<BasicBlock *, 4> Exits;
  T.L->getUniqueExitBlocks(Exits);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : make_early_inc_range(Exit->phis())) {
      SmallVector<StoreInst *, 2> Stores;
      for (unsigned N = 0; N != Phi.getNumIncomingValues(); ++N)
        Stores.push_back(lastUpdate(T, Phi.getIncomingValue(N),
                                    *Phi.getIncomingBlock(N), AA));
      if (is_contained(Stores, nullptr))
        continue;
      IRBuilder<> B(&Phi);
      PHINode *Place =
          B.CreatePHI(Stores.front()->getPointerOperandType(), Stores.size());
      for (auto [Store, Exiting] : zip(Stores, Phi.blocks()))
        Place->addIncoming(Store->getPointerOperand(), Exiting);
      B.SetInsertPoint(&*Exit->getFirstInsertionPt());
      LoadInst *Now =
          B.CreateAlignedLoad(Phi.getType(), Place, Stores.front()->getAlign());
      Phi.replaceAllUsesWith(Now);
      Phi.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

/// Reads held values again in each iteration of an inner loop with remote
/// accesses.
static bool readHeldValues(TaskLoop &T, AAResults &AA, const LoopInfo &LI) {
  SmallVector<std::pair<PHINode *, LoadInst *>, 4> Held;
  for (BasicBlock *BB : T.Blocks) {
    const Loop *L = LI.getLoopFor(BB);
    if (BB == T.Header || L->getHeader() != BB || !L->getLoopPreheader() ||
        none_of(T.Remote, [&](Instruction *I) { return L->contains(I); }))
      continue;
    for (PHINode &Phi : BB->phis())
      if (auto *Load = dyn_cast<LoadInst>(
              Phi.getIncomingValueForBlock(L->getLoopPreheader()));
          Load && T.L->contains(Load) && isSharedLoad(T, *Load) &&
          HeldValue(*Load->getPointerOperand(), MemoryLocation::get(Load), AA,
                    &Phi, Load)
              .isHeldAtTheBegin(Phi, *BB))
        Held.push_back({&Phi, Load});
  }
  for (auto [Phi, Load] : Held) {
    IRBuilder<> B(&*Phi->getParent()->getFirstInsertionPt());
    B.SetCurrentDebugLocation(Load->getDebugLoc());
    Phi->replaceAllUsesWith(readAgain(*Load, B));
    Phi->eraseFromParent();
    if (Load->use_empty())
      Load->eraseFromParent();
  }
  return !Held.empty();
}

bool asyncmem::makeUpdatesWhole(TaskLoop &T, AAResults &AA,
                                const LoopInfo &LI) {
  bool Changed = readLastUpdates(T, AA) | readHeldValues(T, AA, LI);
  SmallVector<LoadInst *, 16> Loads;
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && isSharedLoad(T, *Load))
        Loads.push_back(Load);
  for (LoadInst *Load : Loads) {
    SplitUpdate Found(T, *Load);
    if (Found.find() && Found.isSuspended(AA))
      Changed |= Found.makeWhole(AA);
  }
  return Changed;
}
