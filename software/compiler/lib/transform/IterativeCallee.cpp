// SPDX-License-Identifier: Apache-2.0
// Recursive functions as one function that does not call itself: a nested
// coroutine of the paper's section III-F, ready to be inlined into a task.
//
// Every activation has a level on a stack of equal parts; a part holds the
// variables of the activation that live in memory and, while it waits for a
// callee, the values it still needs and where it goes on. A call raises the
// level and jumps, a return lowers it and jumps back. Behind the last level the
// plain function runs. The stack is a local variable, which follows the task
// like any other; arguments and results are values.
//
//   f(t) { f(t->left); use(t); }   ->   level[n++] = {t, back}; t = t->left; goto entry; back: ...
//
// Per member of the group, in one function:
//
//   call -> enter -> body ... return -> (level 0: the end)
//                     |  ^         |
//              push --+  +-- back <+
//
// Variables that several places assign are allocas until the end.

#include "transform/Recursion.h"
#include "analysis/IterationGraph.h"
#include "common/MemoryVariables.h"
#include "common/Names.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <optional>

using namespace llvm;
using namespace asyncmem;

namespace {

struct Member;

/// A call inside the group.
struct CallSite {
  const CallInst *Old;
  CallInst *Call;
  Member *Callee;
  /// Number among the calls of the callee.
  unsigned Number;
  /// Values of the caller that it needs after the call.
  SmallVector<Instruction *, 8> Live;
  BasicBlock *Push = nullptr, *Back = nullptr;
};

/// A function of the group.
struct Member {
  Function *Old;
  BasicBlock *Enter = nullptr, *Return = nullptr;
  SmallVector<AllocaInst *, 4> Arguments;
  AllocaInst *Result = nullptr;
  SmallVector<BasicBlock *, 16> Blocks;
  SmallVector<CallSite, 4> Sites;
  /// Sites of all members that call this one.
  SmallVector<CallSite *, 4> Callers;
};

/// Where a value that an activation needs after a call lies on its level.
struct Slot {
  unsigned Offset;
  MDNode *Tag;
  AllocaInst *Variable = nullptr;
};

class Builder {
public:
  Builder(const RecursiveGroup &Group, FunctionAnalysisManager &FAM,
          unsigned Levels, unsigned StackBytes)
      : Group(Group), FAM(FAM), MaxLevels(Levels), StackBytes(StackBytes),
        Context(Group.front()->getContext()),
        DL(Group.front()->getParent()->getDataLayout()) {}

  IterativeCallee build() {
    Function *Root = Group.front();
    New =
        Function::Create(Root->getFunctionType(), GlobalValue::InternalLinkage,
                         Root->getName() + ".nested", Root->getParent());
    New->addFnAttr(Attribute::NoUnwind);
    Entry = BasicBlock::Create(Context, "", New);
    Stack.emplace(variable(Type::getInt64Ty(Context), "level"), *Entry);
    createMembers();
    for (auto &M : Members)
      cloneBody(*M);
    for (auto &M : Members)
      splitAtCalls(*M);
    layOut();
    for (auto &M : Members)
      for (CallSite &Site : M->Sites)
        replaceCall(*M, Site);
    for (auto &M : Members)
      moveValues(*M);
    for (auto &M : Members)
      emitReturn(*M);
    emitEntry();
    removeUnreachableBlocks(*New);
    PromoteMemToReg(Variables, FAM.getResult<DominatorTreeAnalysis>(*New));
    return {New, Stack->levels(), Stack->levelBytes()};
  }

private:
  const RecursiveGroup &Group;
  FunctionAnalysisManager &FAM;
  unsigned MaxLevels;
  unsigned StackBytes;
  LLVMContext &Context;
  const DataLayout &DL;
  Function *New = nullptr;
  BasicBlock *Entry = nullptr;
  SmallVector<std::unique_ptr<Member>, 2> Members;
  SmallVector<AllocaInst *, 16> Variables;
  std::optional<LevelStack> Stack;
  /// Offset on a level of the number of the call it waits for.
  unsigned NumberOffset = 0;
  MapVector<Instruction *, Slot> Slots;

  AllocaInst *variable(Type *Ty, const Twine &Name) {
    auto *A = new AllocaInst(Ty, 0, Name, Entry);
    Variables.push_back(A);
    return A;
  }

  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(Context, Name, New);
  }

  Member *memberOf(const Function *F) {
    for (auto &M : Members)
      if (M->Old == F)
        return M.get();
    return nullptr;
  }

  void createMembers() {
    for (Function *F : Group) {
      auto &M = *Members.emplace_back(std::make_unique<Member>());
      M.Old = F;
      M.Enter = block("enter");
      M.Return = block("return");
      for (Argument &A : F->args())
        M.Arguments.push_back(variable(A.getType(), A.getName()));
      if (!F->getReturnType()->isVoidTy())
        M.Result = variable(F->getReturnType(), "result");
    }
  }

  /// \returns true if every call of the group hands on \p A unchanged.
  bool isInvariant(Argument &A) {
    return Group.size() == 1 &&
           all_of(callsInto(Group, *A.getParent()), [&](CallBase *Call) {
             return Call->getArgOperand(A.getArgNo()) == &A;
           });
  }

  /// \returns true if a call may keep \p A, which all hand on unchanged, beyond its
  /// end. LLVM does not always find out of a recursion that none does.
  bool isKept(Argument &A) {
    struct OtherUses : CaptureTracker {
      explicit OtherUses(const Argument &A) : A(A) {}
      const Argument &A;
      bool AreKept = false;
      void tooManyUses() override { AreKept = true; }
      bool captured(const Use *U) override {
        auto *Call = dyn_cast<CallBase>(U->getUser());
        AreKept |= !Call || Call->getCalledFunction() != A.getParent() ||
                   !Call->isArgOperand(U) ||
                   Call->getArgOperandNo(U) != A.getArgNo();
        return AreKept;
      }
    } Uses(A);
    PointerMayBeCaptured(&A, &Uses);
    return Uses.AreKept;
  }

  void cloneBody(Member &M) {
    ValueToValueMapTy Map;
    IRBuilder<> B(M.Enter);
    for (auto [A, Variable] : zip(M.Old->args(), M.Arguments))
      Map[&A] = isInvariant(A) ? New->getArg(A.getArgNo())
                               : loadVariable(B, Variable);
    M.Blocks.push_back(M.Enter);
    for (BasicBlock &BB : *M.Old) {
      auto *Copy = CloneBasicBlock(&BB, Map, "", New);
      Map[&BB] = Copy;
      M.Blocks.push_back(Copy);
    }
    B.CreateBr(M.Blocks[1]);
    for (BasicBlock *BB : drop_begin(M.Blocks))
      for (Instruction &I : make_early_inc_range(*BB)) {
        RemapInstruction(&I, Map,
                         RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        // What is said of one activation does not hold between two.
        I.setMetadata(LLVMContext::MD_alias_scope, nullptr);
        I.setMetadata(LLVMContext::MD_noalias, nullptr);
        if (isa<DbgInfoIntrinsic, NoAliasScopeDeclInst>(I) || isLifetime(I))
          I.eraseFromParent();
      }
    for (CallBase *Call : callsInto(Group, *M.Old)) {
      Member *Callee = memberOf(Call->getCalledFunction());
      M.Sites.push_back(
          {cast<CallInst>(Call), cast<CallInst>(&*Map[Call]), Callee, 0, {}});
    }
    // The variables of the member that live in memory start each level.
    SmallVector<AllocaInst *, 4> Memory;
    for (Instruction &I : *M.Blocks[1])
      if (auto *A = dyn_cast<AllocaInst>(&I))
        Memory.push_back(A);
    Stack->moveMemory(Memory);
    // What is at hand on each level is not kept there.
    for (Argument &A : M.Old->args())
      if (isInvariant(A) && A.getType()->isPointerTy())
        sinkFields(*New->getArg(A.getArgNo()));
  }

  /// Gives each call a block of its own and finds what lives across it.
  void splitAtCalls(Member &M) {
    for (CallSite &Site : M.Sites) {
      BasicBlock *Before = Site.Call->getParent();
      BasicBlock *Middle = SplitBlock(Before, Site.Call);
      BasicBlock *After = SplitBlock(Middle, Site.Call->getNextNode());
      M.Blocks.append({Middle, After});
      Site.Number = Site.Callee->Callers.size();
      Site.Callee->Callers.push_back(&Site);
    }
    Liveness Live(M.Blocks);
    for (CallSite &Site : M.Sites)
      for (Instruction *V :
           Live.liveIn(Site.Call->getParent()->getSingleSuccessor()))
        if (V != Site.Call)
          Site.Live.push_back(V);
  }

  /// Assigns places to the values: what two activations need at a time is on
  /// different levels, so each member has the same bytes.
  void layOut() {
    unsigned MemoryEnd = Stack->levelBytes();
    for (auto &M : Members) {
      unsigned End = MemoryEnd;
      for (CallSite &Site : M->Sites)
        for (Instruction *V : Site.Live)
          if (!Slots.count(V))
            Slots[V] = {Stack->addField(End, DL.getTypeStoreSize(V->getType()),
                                        DL.getABITypeAlign(V->getType())),
                        MDNode::getDistinct(Context, {})};
    }
    if (any_of(Members, [](auto &M) { return M->Callers.size() > 1; })) {
      unsigned End = Stack->levelBytes();
      NumberOffset = Stack->addField(End, 4, Align(4));
    }
    Stack->setSize(MaxLevels, StackBytes);
  }

  /// Call sites of \p M at which \p V was saved before every run of \p Site,
  /// and since it was computed: no need to save it again.
  bool isSavedBefore(Member &M, const CallSite &Site, Instruction *V,
                     const DominatorTree &DT) const {
    return any_of(M.Sites, [&](const CallSite &Other) {
      return &Other != &Site && is_contained(Other.Live, V) &&
             DT.dominates(Other.Old, Site.Old);
    });
  }

  void replaceCall(Member &M, CallSite &Site) {
    CallInst *Call = Site.Call;
    BasicBlock *Middle = Call->getParent();
    BasicBlock *After = Middle->getSingleSuccessor();
    BasicBlock *Plain = block("plain");
    Site.Push = block("push");
    Site.Back = block("back");

    IRBuilder<> B(Middle->getTerminator());
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    B.CreateCondBr(Stack->isLast(B), Plain, Site.Push);
    Middle->getTerminator()->eraseFromParent();

    B.SetInsertPoint(Site.Push);
    for (auto [Index, Argument] : enumerate(Site.Callee->Arguments))
      B.CreateStore(Call->getArgOperand(Index), Argument);
    if (Site.Callee->Callers.size() > 1)
      B.CreateStore(B.getInt32(Site.Number), Stack->place(B, NumberOffset));
    Stack->raise(B);
    B.CreateBr(Site.Callee->Enter);

    B.SetInsertPoint(Site.Back);
    Value *Result =
        Site.Callee->Result ? loadVariable(B, Site.Callee->Result) : nullptr;
    B.CreateBr(After);

    B.SetInsertPoint(Plain);
    B.CreateBr(After);
    Call->moveBefore(Plain->getTerminator());
    Call->setTailCallKind(CallInst::TCK_None);
    Call->setDoesNotThrow(); // checkGroup
    for (Argument &A : M.Old->args())
      if (isInvariant(A) && A.getType()->isPointerTy() && !isKept(A))
        Call->addParamAttr(A.getArgNo(), Attribute::NoCapture);
    Call->setMetadata(PlainCallTag, MDNode::get(Context, {}));
    if (Call->use_empty())
      return;
    B.SetInsertPoint(After, After->begin());
    PHINode *Phi = B.CreatePHI(Call->getType(), 2);
    Call->replaceAllUsesWith(Phi);
    Phi->addIncoming(Call, Plain);
    Phi->addIncoming(Result, Site.Back);
    for (CallSite &Other : M.Sites)
      for (Instruction *&V : Other.Live)
        if (V == Call)
          V = Phi;
    if (auto Found = Slots.find(Call); Found != Slots.end()) {
      Slot Moved = Found->second;
      Slots[Phi] = Moved;
    }
  }

  /// Saves what lives across each call in front of it and takes it back behind.
  void moveValues(Member &M) {
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(*M.Old);
    for (CallSite &Site : M.Sites) {
      for (Instruction *V : Site.Live) {
        Slot &Where = Slots[V];
        if (!Where.Variable) {
          Where.Variable = DemoteRegToStack(*V);
          Variables.push_back(Where.Variable);
        }
        if (!isSavedBefore(M, Site, V, DT)) {
          IRBuilder<> Save(&Site.Push->front());
          Save.CreateStore(loadVariable(Save, Where.Variable),
                           Stack->place(Save, Where.Offset))
              ->setMetadata(LevelTag, Where.Tag);
        }
        IRBuilder<> Reload(Site.Back->getTerminator());
        auto *Saved =
            Reload.CreateLoad(V->getType(), Stack->place(Reload, Where.Offset));
        Saved->setMetadata(LevelTag, Where.Tag);
        Reload.CreateStore(Saved, Where.Variable);
      }
    }
  }

  void emitReturn(Member &M) {
    for (BasicBlock *BB : M.Blocks)
      if (auto *Return = dyn_cast<ReturnInst>(BB->getTerminator())) {
        IRBuilder<> B(Return);
        if (M.Result)
          B.CreateStore(Return->getReturnValue(), M.Result);
        B.CreateBr(M.Return);
        Return->eraseFromParent();
      }
    BasicBlock *Pop = M.Return;
    IRBuilder<> B(M.Return);
    if (M.Old == Group.front()) {
      BasicBlock *End = block("end");
      Pop = block("pop");
      B.CreateCondBr(Stack->isFirst(B), End, Pop);
      B.SetInsertPoint(End);
      if (M.Result)
        B.CreateRet(loadVariable(B, M.Result));
      else
        B.CreateRetVoid();
    }
    B.SetInsertPoint(Pop);
    Stack->lower(B);
    if (M.Callers.size() == 1) {
      B.CreateBr(M.Callers.front()->Back);
      return;
    }
    Value *Number = B.CreateLoad(B.getInt32Ty(), Stack->place(B, NumberOffset));
    SwitchInst *Jump = B.CreateSwitch(Number, M.Callers.front()->Back);
    for (CallSite *Caller : drop_begin(M.Callers))
      Jump->addCase(B.getInt32(Caller->Number), Caller->Back);
  }

  void emitEntry() {
    IRBuilder<> B(Entry);
    Stack->allocate(B);
    Member &Root = *Members.front();
    for (auto [Index, Argument] : enumerate(Root.Arguments))
      B.CreateStore(New->getArg(Index), Argument);
    B.CreateBr(Root.Enter);
  }
};

} // namespace

IterativeCallee asyncmem::makeIterative(const RecursiveGroup &Group,
                                        FunctionAnalysisManager &FAM,
                                        unsigned Levels, unsigned StackBytes) {
  return Builder(Group, FAM, Levels, StackBytes).build();
}
