// SPDX-License-Identifier: Apache-2.0

#include "transform/ReadAgain.h"
#include "loop/Request.h"
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
  /// \p Handed: the phi of the loop \p L in whose iterations these are; both null:
  /// in front of any.
  LastReads(Function &F, const Loop *L, const PHINode *Handed,
            ScalarEvolution &SE, AAResults &AA)
      : F(F), L(L), Handed(Handed), SE(SE), AA(AA) {}

  /// \returns true if \p V surely is in memory at address() at the end of \p End.
  bool hold(Value *V, const BasicBlock &End) {
    if (!follow(V, End) || Reads.empty())
      return false;
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock &BB : F)
      if (!L || L->contains(&BB))
        Blocks.push_back(&BB);
    Place = anyPlace(*Reads.front(), Blocks);
    return all_of(Reads,
                  [&](const LoadInst *Load) {
                    return Load->isSimple() &&
                           Load->getType() == Reads.front()->getType() &&
                           SE.getSCEV(const_cast<Value *>(
                               Load->getPointerOperand())) == address();
                  }) &&
           all_of(Known, [&](auto Until) {
             return isUnchanged(*Until.first, *Until.second);
           });
  }

  /// \returns true if an iteration may hand on what it was handed.
  bool handOn() const { return HandsOn; }
  const LoadInst *read() const { return Reads.front(); }
  const SCEV *address() const {
    return SE.getSCEV(const_cast<Value *>(read()->getPointerOperand()));
  }

  bool mayChange(const Instruction &I) const {
    return isModSet(AA.getModRefInfo(&I, Place));
  }

private:
  Function &F;
  const Loop *L;
  const PHINode *Handed;
  ScalarEvolution &SE;
  AAResults &AA;
  bool HandsOn = false;
  SmallVector<const LoadInst *, 4> Reads;
  /// Values, and the ends of blocks until which they are what memory holds.
  SmallVector<std::pair<const Instruction *, const BasicBlock *>, 8> Known;
  SmallPtrSet<const PHINode *, 4> Seen;
  /// Any address that follows from the same object.
  MemoryLocation Place;

  bool follow(const Value *V, const BasicBlock &End) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || (L && !L->contains(I)))
      return false;
    Known.push_back({I, &End});
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      Reads.push_back(Load);
      return true;
    }
    auto *Phi = dyn_cast<PHINode>(I);
    if (Phi && Phi == Handed)
      return HandsOn = true;
    if (!Phi || !L || Phi->getParent() == L->getHeader())
      return false;
    return !Seen.insert(Phi).second ||
           all_of(Phi->blocks(), [&](const BasicBlock *From) {
             return follow(Phi->getIncomingValueForBlock(From), *From);
           });
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

/// \returns where an iteration of \p L reads what the next one reads at \p Next, and
/// the first one at \p First, or null.
const SCEV *addressHere(const SCEV *First, const SCEV *Next, const Loop &L,
                        ScalarEvolution &SE) {
  if (SE.isLoopInvariant(Next, &L))
    return First == Next ? Next : nullptr;
  auto *Moving = dyn_cast<SCEVAddRecExpr>(Next);
  if (!Moving || Moving->getLoop() != &L || !Moving->isAffine())
    return nullptr;
  const SCEV *Step = Moving->getStepRecurrence(SE);
  const SCEV *Start = SE.getMinusSCEV(Moving->getStart(), Step);
  return First == Start ? SE.getAddRecExpr(Start, Step, &L, SCEV::FlagAnyWrap)
                        : nullptr;
}

/// \returns what \p Phi has in each iteration of \p L, read there, or null.
Value *readHere(PHINode &Phi, const Loop &L, ScalarEvolution &SE,
                AAResults &AA) {
  Function &F = *L.getHeader()->getParent();
  const BasicBlock &Preheader = *L.getLoopPreheader(),
                   &Latch = *L.getLoopLatch();
  LastReads First(F, nullptr, nullptr, SE, AA), Next(F, &L, &Phi, SE, AA);
  if (!First.hold(Phi.getIncomingValueForBlock(&Preheader), Preheader) ||
      !Next.hold(Phi.getIncomingValueForBlock(&Latch), Latch))
    return nullptr;
  const SCEV *Here = addressHere(First.address(), Next.address(), L, SE);
  if (!Here || (Next.handOn() && Here != Next.address()))
    return nullptr;
  bool Writes = any_of(L.blocks(), [&](const BasicBlock *BB) {
    return any_of(*BB, [&](const Instruction &I) { return Next.mayChange(I); });
  });
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "again");
  if (!Writes || !Expander.isSafeToExpand(Here))
    return nullptr;
  Instruction *Position = &*L.getHeader()->getFirstInsertionPt();
  const LoadInst *Known = Next.read();
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
