// SPDX-License-Identifier: Apache-2.0
// What becomes part of a marked loop.
//
// 1. Callees that have to wait, or whose effects must be seen (section III-F: "most of
//    them are inlined"; recursive ones as nested coroutines, see IterativeCallee.cpp).
// 2. Exits at which the program ends: abort, a failed assertion, a check of the
//    undefined behaviour sanitizer, a place that cannot be reached.
//
//   if (!x) abort();  ->  if (!x) abort(), then go on with the iteration

#include "transform/Transforms.h"
#include "analysis/Analyses.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/Machine.h"
#include "common/MemoryVariables.h"
#include "transform/Recursion.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

using NV = DiagnosticInfoOptimizationBase::Argument;

namespace {

/// The loop's function does not grow beyond this many instructions.
constexpr unsigned MaxCalleeInstructions = 20000;

bool isWanted(CallBase &Call, const RemotePointers &Pointers,
              const Options &Opts) {
  Function *Callee = Call.getCalledFunction();
  if (isa<IntrinsicInst>(Call) || !Callee || Callee->isDeclaration() ||
      Callee->isInterposable() || Call.hasMetadata(PlainCallTag) ||
      Call.hasMetadata(LeftCallTag))
    return false;
  if (Pointers.areUnmarked() && !Call.doesNotAccessMemory())
    return true;
  return !Call.onlyReadsMemory() || any_of(Call.args(), [&](const Use &Arg) {
    return Arg->getType()->isPointerTy() && Pointers.isRemote(Arg);
  }) || (Machine(*Callee->getParent(), Opts).usesAmu() && mayRunTasks(Call));
}

/// \returns how many bytes the levels of one more callee may take: half of what
/// the variables of the body leave, so that there is room for others.
unsigned stackBytes(const Loop &L) {
  const Function &F = *L.getHeader()->getParent();
  uint64_t Used = 0;
  for (const Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (A->isStaticAlloca() && isPrivateTo(*A, L))
        Used += A->getAllocationSize(F.getParent()->getDataLayout())
                    ->getFixedValue();
  return Used < MaxPrivateBytes ? (MaxPrivateBytes - Used) / 2 : 0;
}

/// \returns true if \p F does not become too large with \p Callee.
bool fitsInto(const Function &F, const Function &Callee) {
  return F.getInstructionCount() + Callee.getInstructionCount() <=
         MaxCalleeInstructions;
}

/// Leaves \p Call as it is: the message about the loop says why.
void leave(CallBase &Call, const Twine &Why) {
  LLVMContext &Context = Call.getContext();
  Call.setMetadata(LeftCallTag,
                   MDNode::get(Context, MDString::get(Context, Why.str())));
}

/// Says at a call in a marked loop that its recursive callee became part of
/// \p Caller, or that the call stays as it is.
void reportNested(Function &Caller, const DebugLoc &Call,
                  const Function &Callee, const IterativeCallee &Nested) {
  reportRemark(Caller, [&] {
    return OptimizationRemark(PassName, "CalleeNested", Call,
                              &Caller.getEntryBlock())
           << "recursive callee '" << NV("Callee", Callee.getName())
           << "' runs inside the tasks: " << NV("Levels", Nested.Levels)
           << " levels of " << NV("LevelBytes", Nested.LevelBytes)
           << " bytes each, the plain function behind them";
  });
}

void reportNotNested(const CallBase &Call, StringRef Why) {
  reportRemark(*Call.getFunction(), [&] {
    return OptimizationRemarkMissed(PassName, "CalleeNotNested", &Call)
           << "recursive callee '"
           << NV("Callee", Call.getCalledFunction()->getName())
           << "' does not run inside the tasks: " << Why;
  });
}

/// Inlines the recursive callee of \p Call level by level, or leaves the call
/// as it is and says why.
bool nest(Loop &L, CallBase &Call, const RecursiveGroup &Group,
          FunctionAnalysisManager &FAM, const Options &Opts) {
  Function &F = *L.getHeader()->getParent();
  Function *Callee = Call.getCalledFunction();
  const char *Why = checkGroup(Group, F, Opts);
  if (!Why) {
    IterativeCallee Nested =
        makeIterative(Group, FAM, Opts.Levels, stackBytes(L));
    DebugLoc Where = Call.getDebugLoc();
    Call.setCalledFunction(Nested.F);
    InlineFunctionInfo Info;
    bool Done =
        fitsInto(F, *Nested.F) && InlineFunction(Call, Info).isSuccess();
    if (!Done)
      Call.setCalledFunction(Callee);
    FAM.clear(*Nested.F, Nested.F->getName());
    Nested.F->eraseFromParent();
    if (Done) {
      for (const Function *Member : Group)
        AttributeFuncs::mergeAttributesForInlining(F, *Member);
      reportNested(F, Where, *Callee, Nested);
      return true;
    }
    Why = "its code is too large";
  }
  leave(Call, Twine("which is recursive: ") + Why +
                  (StringRef(Why).contains(';') ? "" : "; write it as a loop"));
  reportNotNested(Call, Why);
  return false;
}

/// Makes the callee of \p Call a part of \p L, or leaves the call as it is.
bool inlineOrNest(Loop &L, CallBase &Call, FunctionAnalysisManager &FAM,
                  const Options &Opts) {
  Function &F = *L.getHeader()->getParent();
  Function *Callee = Call.getCalledFunction();
  RecursiveGroup Group = recursiveGroup(*Callee);
  auto IsCompatible = [&](Function *Other) {
    return isInlineCompatible(F, *Other, FAM);
  };
  if (!IsCompatible(Callee) || !all_of(Group, IsCompatible)) {
    leave(Call, "which is compiled for another processor or with other checks; "
                "give both functions the same attributes");
    return false;
  }
  if (!Group.empty())
    return nest(L, Call, Group, FAM, Opts);
  return fitsInto(F, *Callee) && inlineCall(Call);
}

} // namespace

bool asyncmem::inlineCallee(Loop &L, FunctionAnalysisManager &FAM,
                            const Options &Opts) {
  RemotePointers Pointers(L);
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (Call && isWanted(*Call, Pointers, Opts) &&
          inlineOrNest(L, *Call, FAM, Opts))
        return true;
    }
  return false;
}

namespace {

/// \returns the blocks from \p Exit on to where the program ends, nothing if something
/// else may follow, or be seen before.
SmallVector<BasicBlock *, 2> wayToEnd(BasicBlock *Exit) {
  SmallVector<BasicBlock *, 2> Way;
  for (BasicBlock *BB = Exit; BB; BB = BB->getSingleSuccessor()) {
    if (BB->isEHPad() || is_contained(Way, BB) ||
        !all_of(*BB, [](const Instruction &I) {
          return I.isTerminator() || isFatal(I) || !I.mayHaveSideEffects();
        }))
      return {};
    Way.push_back(BB);
    if (isa<UnreachableInst>(BB->getTerminator()))
      return Way;
  }
  return {};
}

/// Puts a copy of the blocks \p Way on the edge from \p From; it leads to
/// \p Next, which follows \p From, too.
void keepExit(BasicBlock *From, ArrayRef<BasicBlock *> Way, BasicBlock *Next) {
  ValueToValueMapTy Map;
  auto *Copy =
      BasicBlock::Create(From->getContext(), "fatal", From->getParent(), Next);
  IRBuilder<> B(Copy);
  const BasicBlock *Before = From;
  for (BasicBlock *BB : Way) {
    for (Instruction &I : *BB) {
      if (auto *Phi = dyn_cast<PHINode>(&I)) {
        Map[Phi] = mapped(Map, Phi->getIncomingValueForBlock(Before));
      } else if (!I.isTerminator()) {
        copyInstruction(B, I, Map);
      }
    }
    Before = BB;
  }
  Instruction *End = From->getTerminator();
  auto *Jump = BranchInst::Create(Next, Copy);
  Jump->setDebugLoc(End->getDebugLoc());
  Jump->setMetadata(LLVMContext::MD_loop,
                    End->getMetadata(LLVMContext::MD_loop));
  for (PHINode &Phi : Next->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(From), Copy);
  for (unsigned I = 0; I != End->getNumSuccessors(); ++I)
    if (End->getSuccessor(I) == Way.front()) {
      Way.front()->removePredecessor(From);
      End->setSuccessor(I, Copy);
    }
}

} // namespace

bool asyncmem::keepFatalExits(Loop &L) {
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  bool Changed = false;
  for (auto [Source, Target] : Exits) {
    auto *From = const_cast<BasicBlock *>(Source);
    auto *To = const_cast<BasicBlock *>(Target);
    if (!is_contained(successors(From), To) ||
        !isa<BranchInst, SwitchInst>(From->getTerminator()))
      continue;
    const SmallVector<BasicBlock *, 2> Way = wayToEnd(To);
    if (Way.empty())
      continue;
    auto Next = find_if(successors(From),
                        [&](BasicBlock *BB) { return L.contains(BB); });
    keepExit(From, Way, *Next);
    for (BasicBlock *BB : Way)
      if (pred_empty(BB))
        DeleteDeadBlock(BB);
    Changed = true;
  }
  return Changed;
}
