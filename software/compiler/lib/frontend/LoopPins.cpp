// SPDX-License-Identifier: Apache-2.0

#include "frontend/LoopPins.h"
#include "common/Names.h"
#include "frontend/JoinedLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Arguments of PinFunction.
enum PinArgument { Place, Number, Tasks, HasClauses };
enum PinPlace { InFront, InIteration };

unsigned argument(const CallInst &Pin, PinArgument I) {
  return unsigned(cast<ConstantInt>(Pin.getArgOperand(I))->getZExtValue());
}

FunctionCallee pinFunction(Module &M) {
  Type *Int = Type::getInt32Ty(M.getContext());
  FunctionCallee Callee = M.getOrInsertFunction(
      PinFunction, Type::getVoidTy(M.getContext()), Int, Int, Int, Int);
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind Kind :
       {Attribute::NoDuplicate, Attribute::WillReturn, Attribute::NoUnwind,
        Attribute::NoSync, Attribute::NoCallback, Attribute::NoFree})
    F->addFnAttr(Kind);
  return Callee;
}

void insertPin(PinPlace Where, Instruction *Before, const LoopTagInfo &Tag) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Tag.Pragma);
  B.CreateCall(pinFunction(*Before->getModule()),
               {B.getInt32(Where), B.getInt32(Tag.Id), B.getInt32(Tag.Tasks),
                B.getInt32(Tag.HasClauses)});
}

SmallVector<CallInst *, 8> pinsOf(const Function &F) {
  SmallVector<CallInst *, 8> Pins;
  if (Function *Callee = F.getParent()->getFunction(PinFunction))
    for (User *U : Callee->users()) {
      auto *Pin = cast<CallInst>(U);
      if (Pin->getFunction() == &F)
        Pins.push_back(Pin);
    }
  return Pins;
}

/// \returns the only block behind the header of \p L that is in the loop, if the
/// header decides whether an iteration begins; else null.
BasicBlock *firstBehindCondition(const Loop &L) {
  BasicBlock *Header = L.getHeader(), *First = nullptr;
  if (!L.isLoopExiting(Header))
    return nullptr;
  for (BasicBlock *Next : successors(Header)) {
    if (!L.contains(Next) || Next == First)
      continue;
    if (First)
      return nullptr;
    First = Next;
  }
  return First;
}

} // namespace

void asyncmem::pinLoop(Loop &L, Instruction *Before, const LoopTagInfo &Tag,
                       DominatorTree &DT, LoopInfo &LI) {
  insertPin(InFront, Before, Tag);
  BasicBlock *Start = L.getHeader(), *First = firstBehindCondition(L);
  if (First && First != Start)
    Start = First->getSinglePredecessor() ? First
                                          : SplitEdge(Start, First, &DT, &LI);
  insertPin(InIteration, &*Start->getFirstInsertionPt(), Tag);
}

void asyncmem::tagPinned(Function &F, FunctionAnalysisManager &FAM) {
  SmallVector<CallInst *, 8> Pins = pinsOf(F);
  for (const CallInst *Pin : Pins) {
    auto IsPinned = [&](const Loop *L) {
      return L && none_of(Pins, [&](const CallInst *Other) {
               return argument(*Other, Place) == InFront &&
                      L->contains(Other) &&
                      argument(*Other, Number) == argument(*Pin, Number);
             });
    };
    auto Innermost = [&] {
      return FAM.getResult<LoopAnalysis>(F).getLoopFor(Pin->getParent());
    };
    Loop *L = Innermost();
    if (argument(*Pin, Place) != InIteration || !IsPinned(L))
      continue;
    while (IsPinned(L->getParentLoop())) {
      if (joinWithOuter(*L)) {
        FAM.invalidate(F, PreservedAnalyses::none());
        L = Innermost();
      } else {
        L = L->getParentLoop();
      }
    }
    if (!readTag(*L))
      tagLoop(*L, {argument(*Pin, Number), argument(*Pin, Tasks),
                   argument(*Pin, HasClauses) != 0, Pin->getDebugLoc()});
  }
}

bool asyncmem::removePins(Function &F) {
  SmallVector<CallInst *, 8> Pins = pinsOf(F);
  for (CallInst *Pin : Pins)
    Pin->eraseFromParent();
  return !Pins.empty();
}

std::map<unsigned, Function *> asyncmem::functionsWithPins(Module &M) {
  std::map<unsigned, Function *> Found;
  if (Function *Callee = M.getFunction(PinFunction))
    for (User *U : Callee->users()) {
      auto *Pin = cast<CallInst>(U);
      if (argument(*Pin, Place) == InIteration)
        Found.insert({argument(*Pin, Number), Pin->getFunction()});
    }
  return Found;
}
