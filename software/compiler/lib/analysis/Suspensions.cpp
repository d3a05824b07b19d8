// SPDX-License-Identifier: Apache-2.0

#include "analysis/Suspensions.h"
#include "analysis/IterationGraph.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

ForwardSlice::ForwardSlice(const TaskLoop &T, const Instruction &Start)
    : T(T), Start(Start) {
  SmallVector<const Instruction *, 8> Work = {&Start};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (!Set.insert(I).second)
        continue;
      Work.push_back(I);
    }
}

bool ForwardSlice::outlivesNext() const {
  // From the value on, and until a result in the block becomes another one.
  SmallDenseMap<const BasicBlock *, BlockSet<const BasicBlock>, 4> ReachedUntil;
  return any_of(Set, [&](const Instruction *Kept) {
    const BasicBlock *Anew = Kept->getParent();
    if (Anew == Start.getParent() && !Kept->comesBefore(&Start))
      return false;
    auto [Entry, IsNew] = ReachedUntil.try_emplace(Anew);
    BlockSet<const BasicBlock> &Reached = Entry->second;
    if (IsNew)
      Reached = blocksBehind(
          Start.getParent(), [&](const BasicBlock *, const BasicBlock *Next) {
            return Next != Anew && Next != T.Header && T.L->contains(Next);
          });
    return any_of(Kept->uses(), [&](const Use &U) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      const BasicBlock *At = Phi ? Phi->getIncomingBlock(U) : User->getParent();
      return Reached.contains(At) ||
             (At == Start.getParent() && (Phi || Start.comesBefore(User)));
    });
  });
}

bool ForwardSlice::mayPassMemory(const Instruction &Write, bool Remote) const {
  return any_of(Set, [&](const Instruction *I) {
    auto *Other = dyn_cast<StoreInst>(I);
    if (Other)
      return (Remote || !T.isRemote(Other)) &&
             Set.contains(dyn_cast<Instruction>(Other->getValueOperand())) &&
             Other->getPointerOperand() != getLoadStorePointerOperand(&Write);
    return isa<CallBase>(I) && I->mayWriteToMemory() && !isFatal(*I);
  });
}

bool ForwardSlice::mayDecide(const Instruction &Write, Flow Through) const {
  if (Set.contains(&Write) ||
      (Through != Flow::Registers &&
       mayPassMemory(Write, Through == Flow::AnyMemory)))
    return true;
  IterationGraph Graph(T);
  SmallSetVector<const BasicBlock *, 8> Blocks;
  Blocks.insert(Write.getParent());
  for (unsigned N = 0; N != Blocks.size(); ++N)
    for (BasicBlock *BB : Graph.controllers(Blocks[N])) {
      if (Set.contains(BB->getTerminator()))
        return true;
      Blocks.insert(BB);
    }
  return false;
}

bool ForwardSlice::mayReachLater(const Instruction &User,
                                 const BasicBlock &Header) const {
  return any_of(Header.phis(), [&](const PHINode &Phi) {
    return Set.contains(&Phi) && ForwardSlice(T, Phi).Set.contains(&User);
  });
}

/// \returns true if \p I reads \p Object, or it may.
static bool mayRead(const Instruction &I, const Value &Object) {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  const Value *Read =
      Copy ? Copy->getRawSource() : getLoadStorePointerOperand(&I);
  if (!Read || !isIdentifiedObject(&Object))
    return true;
  Read = getUnderlyingObject(Read);
  return Read == &Object || !isIdentifiedObject(Read);
}

Suspensions::Suspensions(const TaskLoop &T) : T(T) {
  for (const BasicBlock *BB : T.Blocks)
    if (any_of(*BB, [&](const Instruction &I) { return suspends(I); })) {
      const auto Behind = iterationBehind(BB, *T.L);
      Late.insert(Behind.begin(), Behind.end());
    }
}

bool Suspensions::suspends(const Instruction &I) const {
  return T.isRemote(&I) || isLock(I);
}

bool Suspensions::mayPrecede(const Instruction &I) const {
  if (T.isRemote(&I) || Late.contains(I.getParent()))
    return true;
  for (const Instruction &Other : *I.getParent()) {
    if (&Other == &I)
      return false;
    if (suspends(Other))
      return true;
  }
  return false;
}

bool Suspensions::lieBetween(const Instruction &From, const Instruction &To,
                             Flow Through) const {
  return &From != &To && mayUse(From, To, Through) &&
         leads(&From, &To, !ForwardSlice(T, From).outlivesNext(),
               /*Over=*/true);
}

bool Suspensions::mayUse(const Instruction &From, const Instruction &To,
                         Flow Through) const {
  auto *Copy = dyn_cast<AnyMemTransferInst>(&From);
  if (!Copy)
    return ForwardSlice(T, From).mayDecide(To, Through);
  const Value *Taken = getUnderlyingObject(Copy->getRawDest());
  return anyInstruction(T.Blocks, [&](const Instruction &I) {
    return &I != &From && I.mayReadFromMemory() && mayRead(I, *Taken) &&
           (&I == &To || !isa<LoadInst>(I) || mayUse(I, To, Through));
  });
}

bool Suspensions::separate(const Instruction &From,
                           const Instruction &To) const {
  return leads(&From, &To, /*Once=*/false, /*Over=*/true);
}

bool Suspensions::join(const Instruction &From, const Instruction &To) const {
  return leads(&From, &To, /*Once=*/false, /*Over=*/false);
}

/// \returns true if some path inside one iteration leads from \p From to
/// \p To, over a suspension or over none, and not again over \p From if \p Once.
bool Suspensions::leads(const Instruction *From, const Instruction *To,
                        bool Once, bool Over) const {
  SmallPtrSet<const BasicBlock *, 16> Seen[2];
  // Remote accesses are suspensions themselves.
  SmallVector<std::pair<const Instruction *, bool>, 16> Work = {
      {From->getNextNode(), T.isRemote(From) || T.isRemote(To)}};
  while (!Work.empty()) {
    auto [I, Suspended] = Work.pop_back_val();
    for (; I; I = I->getNextNode()) {
      if (I == To && Suspended == Over)
        return true;
      if (I == From && Once)
        break;
      Suspended |= suspends(*I);
      if (!I->isTerminator())
        continue;
      for (const BasicBlock *Next : successors(I->getParent()))
        if (Next != T.Header && T.L->contains(Next) &&
            Seen[Suspended].insert(Next).second)
          Work.push_back({&Next->front(), Suspended});
    }
  }
  return false;
}

LockRegions::LockRegions(const TaskLoop &T) {
  if (!anyInstruction(T.Blocks, isLock))
    return;
  for (const BasicBlock *BB : T.Blocks)
    if (BB != T.Header)
      HeldAtStart.insert(BB);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const BasicBlock *BB : T.Blocks) {
      if (protects(*BB->getTerminator()))
        continue;
      for (const BasicBlock *Next : successors(BB))
        Changed |= HeldAtStart.erase(Next);
    }
  }
}

bool LockRegions::protects(const Instruction &I) const {
  for (const Instruction *Before = &I; Before; Before = Before->getPrevNode()) {
    if (isLock(*Before))
      return true;
    if (isUnlock(*Before))
      return false;
  }
  return HeldAtStart.contains(I.getParent());
}
