// SPDX-License-Identifier: Apache-2.0

#include "frontend/MarkedLoop.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace asyncmem;
using namespace llvm;

std::map<unsigned, SourceLoop> &asyncmem::sourceLoops() {
  static std::map<unsigned, SourceLoop> Loops;
  return Loops;
}

unsigned asyncmem::pragmaOf(const CallInst *Mark) {
  return unsigned(cast<ConstantInt>(Mark->getArgOperand(0))->getZExtValue());
}

SourcePlace asyncmem::placeOf(const DebugLoc &Loc) {
  return {Loc.getLine(), Loc.getCol()};
}

namespace {

/// \returns true if an ID of \p L says that it starts in \p Place. A continue may
/// leave one of several latches without the loop's ID, which has that.
bool saysToStartIn(const Loop &L, const SourcePlace &Place) {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return any_of(Latches, [&](BasicBlock *Latch) {
    MDNode *Id = Latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
    auto *Start = Id && Id->getNumOperands() > 1
                      ? dyn_cast<DILocation>(Id->getOperand(1))
                      : nullptr;
    return Start && placeOf(DebugLoc(Start)) == Place;
  });
}

bool startsIn(const Loop &L, const SourcePlace &Place) {
  DebugLoc Start = L.getStartLoc();
  return (Start && placeOf(Start) == Place) || saysToStartIn(L, Place);
}

/// \returns true if loops start where \p Source does, and not all of them repeat:
/// another one could be taken for it.
bool isAmbiguous(const SourceLoop &Source, const LoopInfo &LI) {
  return Source.Alike > 1 &&
         count_if(LI.getLoopsInPreorder(), [&](const Loop *L) {
           return saysToStartIn(*L, Source.Start);
         }) < Source.Alike;
}

/// \returns true if something that starts where the loop of \p Mark does repeats,
/// other than by coming to \p Mark again.
bool repeats(CallInst *Mark) {
  auto Source = sourceLoops().find(pragmaOf(Mark));
  SmallPtrSet<BasicBlock *, 1> Again = {Mark->getParent()};
  return Source != sourceLoops().end() &&
         any_of(*Mark->getFunction(), [&](BasicBlock &BB) {
           const DebugLoc &Start = BB.getTerminator()->getDebugLoc();
           return Start && placeOf(Start) == Source->second.Start &&
                  any_of(successors(&BB), [&](BasicBlock *Next) {
                    return isPotentiallyReachable(&Next->front(),
                                                  BB.getTerminator(), &Again);
                  });
         });
}

} // namespace

Loop *asyncmem::findLoop(CallInst *Mark, LoopInfo &LI, DominatorTree &DT) {
  Function &F = *Mark->getFunction();
  auto Source = sourceLoops().find(pragmaOf(Mark));
  for (BasicBlock *BB : ReversePostOrderTraversal<Function *>(&F)) {
    Loop *L = LI.getLoopFor(BB);
    if (!L || L->getHeader() != BB || L->contains(Mark->getParent()) ||
        !DT.dominates(Mark->getParent(), BB))
      continue;
    if (Source == sourceLoops().end())
      return L;
    return startsIn(*L, Source->second.Start) &&
                   !isAmbiguous(Source->second, LI)
               ? L
               : nullptr;
  }
  return nullptr;
}

const char *asyncmem::whyNotFound(CallInst *Mark, const LoopInfo &LI) {
  if (!Mark->getDebugLoc())
    return "where it is in the source is not known; take the attribute nodebug "
           "of its function away";
  auto Source = sourceLoops().find(pragmaOf(Mark));
  if (Source != sourceLoops().end() && isAmbiguous(Source->second, LI))
    return "other loops start in the same place, and not all of them repeat; "
           "write it outside of the macro, in a line of its own";
  return repeats(Mark) ? "it is entered in more than one place"
                       : "it does not repeat";
}
