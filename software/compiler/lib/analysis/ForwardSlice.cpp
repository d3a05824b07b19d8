// SPDX-License-Identifier: Apache-2.0

#include "analysis/ForwardSlice.h"
#include "analysis/IterationGraph.h"
#include "common/BlockWalk.h"
#include "common/Calls.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

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
