// SPDX-License-Identifier: Apache-2.0

#include "tasks/BodyGraph.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class WebBuilder {
public:
  explicit WebBuilder(ArrayRef<BasicBlock *> Blocks)
      : Blocks(Blocks), Live(Blocks) {}

  SmallVector<Web, 8> build(ArrayRef<Instruction *> Values) {
    SmallVector<Web, 8> Webs;
    for (Instruction *V : Values) {
      if (Taken.contains(V))
        continue;
      Web &W = Webs.emplace_back();
      add(W, V);
      for (unsigned I = 0; I != W.Members.size(); ++I)
        grow(W, W.Members[I]);
    }
    return Webs;
  }

private:
  ArrayRef<BasicBlock *> Blocks;
  Liveness Live;
  SmallPtrSet<Instruction *, 16> Taken;

  void add(Web &W, Instruction *V) {
    W.Members.insert(V);
    Taken.insert(V);
  }

  void grow(Web &W, Instruction *Member) {
    if (auto *Phi = dyn_cast<PHINode>(Member))
      for (Value *In : Phi->incoming_values())
        tryAdd(W, dyn_cast<Instruction>(In));
    for (User *U : Member->users())
      tryAdd(W, dyn_cast<PHINode>(U));
  }

  void tryAdd(Web &W, Instruction *V) {
    if (!V || Taken.contains(V) || !is_contained(Blocks, V->getParent()))
      return;
    if (none_of(W.Members, [&](Instruction *M) { return interfere(*M, *V); }))
      add(W, V);
  }

  /// \returns true if both may be needed at one time.
  bool interfere(Instruction &A, Instruction &B) const {
    bool PhisOfOneBlock =
        isa<PHINode>(A) && isa<PHINode>(B) && A.getParent() == B.getParent();
    return PhisOfOneBlock || Live.isLiveAfter(A, B) || Live.isLiveAfter(B, A);
  }
};

} // namespace

SmallVector<Web, 8> asyncmem::buildWebs(ArrayRef<Instruction *> Values,
                                        ArrayRef<BasicBlock *> Blocks) {
  return WebBuilder(Blocks).build(Values);
}

BodyGraph::BodyGraph(ArrayRef<BasicBlock *> Blocks,
                     ArrayRef<Suspension> Suspensions)
    : Blocks(Blocks), Succ(Blocks.size()), Pred(Blocks.size()),
      Leaves(Blocks.size()), Suspends(Blocks.size()), Resumes(Blocks.size()) {
  for (unsigned I = 0; I != Blocks.size(); ++I)
    Number[Blocks[I]] = I;
  for (unsigned I = 0; I != Blocks.size(); ++I) {
    for (const BasicBlock *To : llvm::successors(Blocks[I])) {
      auto Found = Number.find(To);
      if (Found == Number.end()) {
        Leaves.set(I);
      } else if (!is_contained(Succ[I], Found->second)) {
        Succ[I].push_back(Found->second);
        Pred[Found->second].push_back(I);
      }
    }
    if (succ_empty(Blocks[I]))
      Leaves.set(I);
  }
  for (const Suspension &S : Suspensions) {
    assert(S.Before->getSingleSuccessor() == S.After && "cut already");
    Suspends.set(number(S.Before));
    Resumes.set(number(S.After));
  }
  findLoops(BitVector(Blocks.size(), true));
  findFrequencies();
}

double BodyGraph::share(unsigned From, unsigned To) const {
  const Instruction *End = Blocks[From]->getTerminator();
  unsigned Count = End->getNumSuccessors();
  SmallVector<uint32_t, 4> Weights;
  if (!extractBranchWeights(*End, Weights) || Weights.size() != Count)
    Weights.assign(Count, 1);
  double Part = 0, All = 0;
  for (unsigned S = 0; S != Count; ++S) {
    All += Weights[S];
    if (End->getSuccessor(S) == Blocks[To])
      Part += Weights[S];
  }
  return All ? Part / All : 0;
}

/// Each round adds an iteration of every loop.
void BodyGraph::findFrequencies() {
  constexpr unsigned Rounds = 64;
  unsigned N = size();
  SmallVector<SmallVector<double, 2>, 16> Shares(N);
  for (unsigned I = 0; I != N; ++I)
    for (unsigned P : Pred[I])
      Shares[I].push_back(share(P, I));
  Frequency.assign(N, 0);
  for (unsigned Round = 0; Round != Rounds; ++Round)
    for (unsigned I = 0; I != N; ++I) {
      double Sum = I == 0;
      for (auto [P, Share] : zip(Pred[I], Shares[I]))
        Sum += Frequency[P] * Share;
      Frequency[I] = Sum;
    }
}

unsigned BodyGraph::depth(unsigned I) const {
  return count_if(Loops, [&](const BodyLoop &L) { return L.Blocks.test(I); });
}

/// Records the strongly connected parts of \p Set that have one entry, then
/// those inside each of them, without its header.
void BodyGraph::findLoops(const BitVector &Set) {
  unsigned N = size();
  SmallVector<BitVector, 16> Reach(N, BitVector(N));
  for (unsigned I : Set.set_bits())
    for (unsigned To : Succ[I])
      if (Set.test(To))
        Reach[I].set(To);
  for (unsigned Via : Set.set_bits())
    for (unsigned I : Set.set_bits())
      if (Reach[I].test(Via))
        Reach[I] |= Reach[Via];
  BitVector Done(N);
  for (unsigned I : Set.set_bits()) {
    if (Done.test(I) || !Reach[I].test(I))
      continue;
    BitVector Part(N);
    for (unsigned J : Reach[I].set_bits())
      if (Reach[J].test(I))
        Part.set(J);
    Done |= Part;
    SmallVector<unsigned, 2> Entries;
    for (unsigned J : Part.set_bits())
      if (any_of(Pred[J], [&](unsigned P) { return !Part.test(P); }))
        Entries.push_back(J);
    if (Entries.size() != 1)
      continue;
    Loops.push_back({Entries.front(), Part, Suspends.anyCommon(Part)});
    Part.reset(Entries.front());
    findLoops(Part);
  }
}
