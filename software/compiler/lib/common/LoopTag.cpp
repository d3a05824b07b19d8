// SPDX-License-Identifier: Apache-2.0

#include "common/LoopTag.h"
#include "common/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace asyncmem;

void asyncmem::tagLoop(Loop &L, const LoopTagInfo &Tag) {
  LLVMContext &Context = L.getHeader()->getContext();
  auto IntNode = [&](unsigned Value) {
    return ConstantAsMetadata::get(
        ConstantInt::get(Type::getInt32Ty(Context), Value));
  };
  SmallVector<Metadata *, 8> Ops = {nullptr};
  if (MDNode *Old = L.getLoopID())
    for (const MDOperand &Op : drop_begin(Old->operands())) {
      auto *Node = dyn_cast<MDNode>(Op);
      auto *Name = Node && Node->getNumOperands()
                       ? dyn_cast<MDString>(Node->getOperand(0))
                       : nullptr;
      if (!Name || !Name->getString().starts_with("llvm.loop.unroll"))
        Ops.push_back(Op);
    }
  SmallVector<Metadata *, 8> Fields = {MDString::get(Context, LoopTag),
                                       IntNode(Tag.Id), IntNode(Tag.Tasks),
                                       IntNode(Tag.HasClauses)};
  if (DILocation *Loc = Tag.Pragma)
    Fields.push_back(Loc);
  Ops.push_back(MDNode::get(Context, Fields));
  Ops.push_back(
      MDNode::get(Context, MDString::get(Context, "llvm.loop.unroll.disable")));
  MDNode *Id = MDNode::getDistinct(Context, Ops);
  Id->replaceOperandWith(0, Id);
  L.setLoopID(Id);
}

std::optional<LoopTagInfo> asyncmem::readTag(const Loop &L) {
  MDNode *Id = L.getLoopID();
  if (!Id)
    return std::nullopt;
  MDNode *Tag = GetUnrollMetadata(Id, LoopTag);
  if (!Tag)
    return std::nullopt;
  assert(Tag->getNumOperands() >= 4 && "not what tagLoop writes");
  auto Number = [&](unsigned I) {
    return unsigned(
        mdconst::extract<ConstantInt>(Tag->getOperand(I))->getZExtValue());
  };
  LoopTagInfo Info = {Number(1), Number(2), Number(3) != 0, DebugLoc()};
  if (Tag->getNumOperands() > 4)
    Info.Pragma = DebugLoc(cast<DILocation>(Tag->getOperand(4)));
  return Info;
}

void asyncmem::removeTag(Loop &L) {
  L.setLoopID(makePostTransformationMetadata(
      L.getHeader()->getContext(), L.getLoopID(),
      {LoopTag, "llvm.loop.unroll.disable"}, {}));
}

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

static bool joinWithOuter(Loop &Inner);

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

namespace {

/// \returns true if \p From has only phis and leads to \p To alone.
bool onlyLeadsTo(const BasicBlock &From, const BasicBlock &To) {
  return From.getSingleSuccessor() == &To &&
         From.getFirstNonPHIOrDbg() == From.getTerminator();
}

/// \returns \p Phi as one of \p Header, in which the edges from \p Latches will
/// end as well.
PHINode *moveToHeader(PHINode &Phi, BasicBlock &Header,
                      ArrayRef<BasicBlock *> Latches) {
  Value *Start = Phi.getIncomingValueForBlock(&Header);
  auto *StartPhi = dyn_cast<PHINode>(Start);
  if (StartPhi && StartPhi->getParent() != &Header)
    StartPhi = nullptr;
  auto *Joined = PHINode::Create(Phi.getType(), 0, "", &Header.front());
  Joined->takeName(&Phi);
  Joined->setDebugLoc(Phi.getDebugLoc());
  for (BasicBlock *From : predecessors(&Header))
    Joined->addIncoming(
        StartPhi ? StartPhi->getIncomingValueForBlock(From) : Start, From);
  for (BasicBlock *From : Latches)
    Joined->addIncoming(Phi.getIncomingValueForBlock(From), From);
  return Joined;
}

} // namespace

/// LoopSimplify takes a loop with several ways back for two nested ones, where
/// some of them leave values as they are: a loop that passes over elements, in one
/// that works on them. For tasks it is one loop.
///
/// Makes \p Inner and the loop around it one loop with one latch, if nothing
/// happens between their headers. \returns false if that is not so; else loops
/// and dominators of the function have changed.
static bool joinWithOuter(Loop &Inner) {
  Loop *Outer = Inner.getParentLoop();
  BasicBlock *Header = Outer ? Outer->getHeader() : nullptr;
  BasicBlock *InnerHeader = Inner.getHeader();
  if (!Outer || !onlyLeadsTo(*Header, *InnerHeader))
    return false;
  // One for each edge.
  SmallVector<BasicBlock *, 8> Latches;
  for (BasicBlock *From : predecessors(InnerHeader))
    if (From != Header)
      Latches.push_back(From);
  SmallVector<PHINode *, 8> Unchanged;
  for (PHINode &Phi : Header->phis())
    Unchanged.push_back(&Phi);
  while (auto *Phi = dyn_cast<PHINode>(&InnerHeader->front())) {
    Phi->replaceAllUsesWith(moveToHeader(*Phi, *Header, Latches));
    Phi->eraseFromParent();
  }
  for (PHINode *Phi : Unchanged)
    for (BasicBlock *From : Latches)
      Phi->addIncoming(Phi, From);
  for (BasicBlock *From : Latches)
    From->getTerminator()->replaceSuccessorWith(InnerHeader, Header);

  SmallVector<BasicBlock *, 8> Ends;
  for (BasicBlock *From : predecessors(Header))
    if (Outer->contains(From) && !is_contained(Ends, From))
      Ends.push_back(From);
  SplitBlockPredecessors(Header, Ends, ".asyncmem.latch");
  return true;
}
