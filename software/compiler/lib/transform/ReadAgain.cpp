// SPDX-License-Identifier: Apache-2.0

#include "transform/ReadAgain.h"
#include "loop/MemoryAccess.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Follows a value to the loads it comes from, all from one address, and compares
/// them with what memory holds there later.
class LastReads {
public:
  /// \p L: the loop in whose iterations these are; null: in front of any.
  LastReads(Function &F, const Loop *L, ScalarEvolution &SE, AAResults &AA)
      : F(F), L(L), SE(SE), AA(AA) {}

  /// \returns true if \p V surely is in memory at address() at the end of \p End.
  bool hold(Value *V, const BasicBlock &End) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || (L && !L->contains(I)))
      return false;
    if (auto *Load = dyn_cast<LoadInst>(I))
      return add(*Load) && isUnchanged(*Load, End);
    auto *Phi = dyn_cast<PHINode>(I);
    if (!Phi || !L || Phi->getParent() == L->getHeader())
      return false;
    if (Seen.insert(Phi))
      for (BasicBlock *From : Phi->blocks())
        if (!hold(Phi->getIncomingValueForBlock(From), *From))
          return false;
    return Read && isUnchanged(*Phi, End);
  }

  LoadInst *read() const { return Read; }
  const SCEV *address() const { return SE.getSCEV(Read->getPointerOperand()); }

  bool mayChange(const Instruction &I) const {
    return isModSet(AA.getModRefInfo(&I, Place));
  }

private:
  Function &F;
  const Loop *L;
  ScalarEvolution &SE;
  AAResults &AA;
  LoadInst *Read = nullptr;
  /// Any address that follows from the same object.
  MemoryLocation Place;
  SmallSetVector<PHINode *, 4> Seen;

  bool add(LoadInst &Load) {
    if (Read)
      return Load.isSimple() && Load.getType() == Read->getType() &&
             SE.getSCEV(Load.getPointerOperand()) == address();
    Read = &Load;
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock &BB : F)
      if (!L || L->contains(&BB))
        Blocks.push_back(&BB);
    Place = anyPlace(Load, Blocks);
    return Load.isSimple();
  }

  /// \returns true if nothing writes there on a way from \p From to the end of
  /// \p End that does not come to \p From again.
  bool isUnchanged(const Instruction &From, const BasicBlock &End) const {
    const BasicBlock *Start = From.getParent();
    SmallSetVector<const BasicBlock *, 16> Between;
    Between.insert(&End);
    for (unsigned N = 0; N != Between.size(); ++N)
      if (Between[N] != Start && (!L || Between[N] != L->getHeader()))
        Between.insert(pred_begin(Between[N]), pred_end(Between[N]));
    return none_of(Between, [&](const BasicBlock *BB) {
      auto Begin = BB == Start ? From.getIterator() : BB->begin();
      return any_of(make_range(Begin, BB->end()),
                    [&](const Instruction &I) { return mayChange(I); });
    });
  }
};

/// \returns what \p Phi has in each iteration of \p L, read there, or null.
Value *readHere(PHINode &Phi, const Loop &L, ScalarEvolution &SE,
                AAResults &AA) {
  Function &F = *L.getHeader()->getParent();
  const BasicBlock &Preheader = *L.getLoopPreheader(),
                   &Latch = *L.getLoopLatch();
  LastReads First(F, nullptr, SE, AA), Next(F, &L, SE, AA);
  if (!First.hold(Phi.getIncomingValueForBlock(&Preheader), Preheader) ||
      !Next.hold(Phi.getIncomingValueForBlock(&Latch), Latch))
    return nullptr;
  auto *Address = dyn_cast<SCEVAddRecExpr>(Next.address());
  if (!Address || Address->getLoop() != &L || !Address->isAffine())
    return nullptr;
  const SCEV *Step = Address->getStepRecurrence(SE);
  const SCEV *Start = SE.getMinusSCEV(Address->getStart(), Step);
  bool Writes = any_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) { return Next.mayChange(I); });
  });
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "again");
  const SCEV *Here = SE.getAddRecExpr(Start, Step, &L, SCEV::FlagAnyWrap);
  if (!Writes || First.address() != Start || !Expander.isSafeToExpand(Here))
    return nullptr;
  Instruction *Position = &*L.getHeader()->getFirstInsertionPt();
  LoadInst *Known = Next.read();
  auto *Load = new LoadInst(
      Known->getType(),
      Expander.expandCodeFor(Here, Known->getPointerOperandType(), Position),
      "again", /*isVolatile=*/false, Known->getAlign(), Position);
  Load->copyMetadata(*Known, {LLVMContext::MD_tbaa});
  Load->setDebugLoc(Known->getDebugLoc());
  return Load;
}

} // namespace

bool asyncmem::readAgain(Loop &L, ScalarEvolution &SE, AAResults &AA) {
  bool Changed = false;
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis()))
    if (Value *Read = readHere(Phi, L, SE, AA)) {
      SE.forgetValue(&Phi);
      Phi.replaceAllUsesWith(Read);
      Phi.eraseFromParent();
      Changed = true;
    }
  return Changed;
}
