// SPDX-License-Identifier: Apache-2.0

#include "analysis/IterationGraph.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::analyzeShape(TaskLoop &T, Refusal &No) {
  Loop &L = *T.L;
  T.Preheader = L.getLoopPreheader();
  T.Header = L.getHeader();
  T.Latch = L.getLoopLatch();
  Instruction *Start = T.Header->getTerminator();
  if (T.Header->getParent()->callsFunctionThatReturnsTwice())
    return refuse(
        No,
        "its function calls setjmp or the like; give the loop one of its own",
        Start);
  if (!T.Preheader || !T.Latch)
    return refuse(No, "it is entered or repeated in more than one place",
                  Start);
  if (!L.hasDedicatedExits())
    return refuse(No,
                  "it is left in a way that cannot be redirected; use a switch",
                  Start);
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  for (auto [From, To] : Exits) {
    bool Known = any_of(T.Exits, [&, From = From, To = To](const ExitEdge &E) {
      return E.From == From && E.To == To;
    });
    if (!Known)
      T.Exits.push_back(
          {const_cast<BasicBlock *>(From), const_cast<BasicBlock *>(To)});
  }
  if (T.Exits.empty())
    return refuse(No, "it never ends", Start);
  auto *Branch = dyn_cast<BranchInst>(T.Latch->getTerminator());
  if (T.Exits.size() == 1 && T.Exits[0].From == T.Latch && Branch) {
    T.ContinueCondition = Branch->getCondition();
    T.ContinueOnTrue = Branch->getSuccessor(0) == T.Header;
  }
  if (BasicBlock *Endless = IterationGraph(T).endlessBlock())
    return refuse(No, "a loop in it never ends", Endless->getTerminator());
  return true;
}

bool asyncmem::isWhole(const Loop &L) {
  if (!L.isInnermost())
    return false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (I.isVolatile() || I.isAtomic() ||
          (isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
           !callsFunction(I, FreshFunction) && !isMark(I)))
        return false;
  return true;
}

IterationGraph::IterationGraph(const TaskLoop &T) : Blocks(T.Blocks) {
  unsigned End = Blocks.size();
  for (unsigned I = 0; I != End; ++I)
    Number[Blocks[I]] = I;
  Next.resize(End);
  for (unsigned I = 0; I != End; ++I)
    for (const BasicBlock *To : successors(Blocks[I])) {
      auto Found = Number.find(To);
      Next[I].push_back(
          To == T.Header || Found == Number.end() ? End : Found->second);
    }
  Always.assign(End + 1, BitVector(End + 1, true));
  Always[End].reset();
  Always[End].set(End);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = End; I-- != 0;) {
      BitVector Set(End + 1, true);
      for (unsigned To : Next[I])
        Set &= Always[To];
      Set.set(I);
      if (Set != Always[I]) {
        Always[I] = std::move(Set);
        Changed = true;
      }
    }
  }
}

unsigned IterationGraph::number(const BasicBlock *BB) const {
  assert(Number.contains(BB) && "a block outside the loop");
  return Number.lookup(BB);
}

BasicBlock *IterationGraph::endlessBlock() const {
  SmallVector<unsigned, 16> Work = {unsigned(Blocks.size())};
  BitVector Reaches(Blocks.size() + 1);
  Reaches.set(Blocks.size());
  while (!Work.empty()) {
    unsigned To = Work.pop_back_val();
    for (unsigned I = 0; I != Blocks.size(); ++I)
      if (!Reaches.test(I) && is_contained(Next[I], To)) {
        Reaches.set(I);
        Work.push_back(I);
      }
  }
  int First = Reaches.find_first_unset();
  return First < 0 ? nullptr : Blocks[First];
}

SmallVector<BasicBlock *, 4>
IterationGraph::controllers(const BasicBlock *BB) const {
  SmallVector<BasicBlock *, 4> Result;
  unsigned Index = number(BB);
  for (unsigned I = 0; I != Blocks.size(); ++I) {
    bool OnEveryPath = I != Index && Always[I].test(Index);
    if (!OnEveryPath &&
        any_of(Next[I], [&](unsigned To) { return Always[To].test(Index); }))
      Result.push_back(Blocks[I]);
  }
  return Result;
}

bool IterationGraph::leads(const BasicBlock *From, const BasicBlock *To) const {
  unsigned Index = number(To), End = Blocks.size();
  BitVector Seen(End + 1);
  SmallVector<unsigned, 16> Work = {number(From)};
  while (!Work.empty())
    for (unsigned After : Next[Work.pop_back_val()]) {
      if (After == Index)
        return true;
      if (After != End && !Seen.test(After)) {
        Seen.set(After);
        Work.push_back(After);
      }
    }
  return false;
}

BasicBlock *IterationGraph::postDominator(const BasicBlock *BB) const {
  unsigned Index = number(BB);
  unsigned Nearest = Blocks.size();
  for (unsigned I : Always[Index].set_bits())
    if (I != Index && Always[I].count() > Always[Nearest].count())
      Nearest = I;
  return Nearest == Blocks.size() ? nullptr : Blocks[Nearest];
}

Liveness::Liveness(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB)
      if (!I.getType()->isVoidTy()) {
        Number[&I] = Values.size();
        Values.push_back(&I);
      }

  DenseMap<const BasicBlock *, BitVector> Uses, Defs;
  for (BasicBlock *BB : Blocks) {
    BitVector Use(Values.size()), Def(Values.size());
    for (Instruction &I : *BB) {
      if (!isa<PHINode>(I))
        for (const Value *Op : I.operands()) {
          auto Found = Number.find(Op);
          if (Found != Number.end() && !Def.test(Found->second))
            Use.set(Found->second);
        }
      auto Found = Number.find(&I);
      if (Found != Number.end())
        Def.set(Found->second);
    }
    In[BB] = Use;
    Uses[BB] = std::move(Use);
    Defs[BB] = std::move(Def);
  }

  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (BasicBlock *BB : reverse(Blocks)) {
      BitVector Live(Values.size());
      for (BasicBlock *Next : successors(BB)) {
        auto NextIn = In.find(Next);
        if (NextIn == In.end())
          continue;
        Live |= NextIn->second;
        for (PHINode &Phi : Next->phis()) {
          auto Found = Number.find(Phi.getIncomingValueForBlock(BB));
          if (Found != Number.end())
            Live.set(Found->second);
        }
      }
      Out[BB] = Live;
      Live.reset(Defs[BB]);
      Live |= Uses[BB];
      if (Live != In[BB]) {
        In[BB] = std::move(Live);
        Changed = true;
      }
    }
  }
}

SmallVector<Instruction *, 8> Liveness::liveIn(const BasicBlock *BB) const {
  SmallVector<Instruction *, 8> Result;
  auto Found = In.find(BB);
  if (Found != In.end())
    for (unsigned Index : Found->second.set_bits())
      Result.push_back(Values[Index]);
  return Result;
}

bool Liveness::isLiveAfter(const Instruction &V,
                           const Instruction &Definition) const {
  const BasicBlock *BB = Definition.getParent();
  unsigned Index = Number.lookup(&V);
  const Instruction *From = isa<PHINode>(Definition) ? BB->getFirstNonPHI()
                                                     : Definition.getNextNode();
  for (const Instruction *I = From; I; I = I->getNextNode()) {
    if (I == &V)
      return false;
    if (is_contained(I->operands(), &V))
      return true;
  }
  auto Found = Out.find(BB);
  return Found != Out.end() && Found->second.test(Index);
}
