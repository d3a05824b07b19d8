// SPDX-License-Identifier: Apache-2.0

#include "analysis/IterationGraph.h"
#include "llvm/IR/CFG.h"

using namespace llvm;
using namespace asyncmem;

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
