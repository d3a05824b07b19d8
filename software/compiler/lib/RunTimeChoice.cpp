// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/RunTimeChoice.h"
#include "asyncmem/AdaptPolicy.h"
#include "asyncmem/IterationLimit.h"
#include "asyncmem/PolicyCode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

namespace {

class Chooser {
public:
  Chooser(TaskLoop &T, IterationLimit &Limit)
      : T(T), Limit(Limit), F(*T.Header->getParent()),
        Context(F.getContext()), Policy(addPolicyCode(*F.getParent())) {}

  void build(unsigned Tasks, uint64_t TurnCycles) {
    createState();
    Start = newBlock("start");
    Control = newBlock("control");
    Probe.Enter = newBlock("probe");
    Plain.Enter = newBlock("plain");
    EnterTasks = newBlock("tasks");
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Start);
    IRBuilder<> B(Start);
    B.CreateCall(Policy.Start,
                 {Loop, Run, B.getInt64(Tasks), B.getInt64(TurnCycles)});
    B.CreateBr(Control);

    control();
    B.SetInsertPoint(Control->getTerminator());
    Limit.apply(B, Budget, [&](PHINode *Phi) { return Now.lookup(Phi); });
    splitExits();
    endChunk();
    for (Copy *C : {&Plain, &Probe})
      clone(*C);
    countSwitches();
    enter();
  }

private:
  /// A copy of the loop and the block in front of it.
  struct Copy {
    BasicBlock *Enter = nullptr;
    ValueToValueMapTy Map;
    Value *of(Value *V) {
      Value *Mapped = Map.lookup(V);
      return Mapped ? Mapped : V;
    }
    BasicBlock *block(BasicBlock *BB) { return cast<BasicBlock>(of(BB)); }
  };

  TaskLoop &T;
  IterationLimit &Limit;
  Function &F;
  LLVMContext &Context;
  PolicyCode Policy;
  BasicBlock *Start, *Control, *EnterTasks;
  Copy Probe, Plain;
  /// What the policy remembers of the loop, and of one run of it.
  GlobalVariable *Loop = nullptr;
  AllocaInst *Run = nullptr;
  /// In Control: the form to run, its iterations, and the values the next
  /// iteration starts with.
  Value *Form = nullptr;
  Value *Budget = nullptr;
  MapVector<PHINode *, PHINode *> Now;

  BasicBlock *newBlock(const Twine &Name) {
    return BasicBlock::Create(Context, "adapt." + Name, &F, T.Header);
  }

  void createState() {
    Type *I64 = Type::getInt64Ty(Context);
    Type *LoopType = ArrayType::get(I64, ADAPT_LOOP_WORDS);
    Loop = new GlobalVariable(*F.getParent(), LoopType, /*isConstant=*/false,
                              GlobalValue::InternalLinkage,
                              ConstantAggregateZero::get(LoopType),
                              "asyncmem.adapt");
    Loop->setAlignment(Align(64));
    Run = new AllocaInst(ArrayType::get(I64, ADAPT_RUN_WORDS), 0,
                         "adapt.run", &*F.getEntryBlock().getFirstInsertionPt());
  }

  Value *runWord(IRBuilderBase &B, unsigned Word) {
    return B.CreateConstInBoundsGEP2_64(Run->getAllocatedType(), Run, 0, Word);
  }

  void control() {
    IRBuilder<> B(Control);
    for (PHINode &Phi : T.Header->phis()) {
      PHINode *Value = B.CreatePHI(Phi.getType(), 2, Phi.getName() + ".now");
      Value->addIncoming(Phi.getIncomingValueForBlock(T.Preheader), Start);
      Now[&Phi] = Value;
    }
    Form = B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_FORM));
    Budget = B.CreateLoad(B.getInt64Ty(), runWord(B, ADAPT_BUDGET));
    SwitchInst *Choose = B.CreateSwitch(Form, Probe.Enter, 2);
    Choose->addCase(B.getInt64(ADAPT_PLAIN), Plain.Enter);
    Choose->addCase(B.getInt64(ADAPT_TASKS), EnterTasks);
  }

  /// Every way out of the loop, but the end of a chunk, ends the run.
  void splitExits() {
    for (ExitEdge &E : T.Exits) {
      if (E.To == Limit.chunkEnd())
        continue;
      BasicBlock *Between = newBlock("exit");
      for (PHINode &Phi : E.To->phis()) {
        PHINode *Value = PHINode::Create(Phi.getType(), 3,
                                         Phi.getName() + ".last", Between);
        Value->addIncoming(Phi.getIncomingValueForBlock(E.From), E.From);
        while (Phi.getBasicBlockIndex(E.From) >= 0)
          Phi.removeIncomingValue(E.From, /*DeletePHIIfEmpty=*/false);
        Phi.addIncoming(Value, Between);
      }
      E.From->getTerminator()->replaceSuccessorWith(E.To, Between);
      BranchInst::Create(E.To, Between);
      E.To = Between;
      callEnd(Between, Limit.iterationsAtExit(Between));
    }
  }

  void callEnd(BasicBlock *Exit, Value *Iterations) {
    IRBuilder<> B(Exit->getTerminator());
    B.CreateCall(Policy.End, {Loop, Run, Iterations});
  }

  /// At the end of the chunk: is it the loop's?
  void endChunk() {
    BasicBlock *End = Limit.chunkEnd();
    BasicBlock *Next = newBlock("next");
    DenseMap<PHINode *, PHINode *> After;
    for (auto [Phi, Value] : Now) {
      IRBuilder<> B(End, End->begin());
      PHINode *Last = B.CreatePHI(Phi->getType(), 3, Phi->getName() + ".chunk");
      Last->addIncoming(Phi->getIncomingValueForBlock(T.Latch), T.Latch);
      Value->addIncoming(Last, Next);
      After[Phi] = Last;
    }
    Value *Iterations =
        Limit.finish(Next, [&](PHINode *Phi) { return After.lookup(Phi); });
    IRBuilder<> B(Next);
    B.CreateCall(Policy.Next, {Loop, Run, Iterations});
    B.CreateBr(Control);
    if (BasicBlock *Last = Limit.lastExit())
      callEnd(Last, Iterations);
  }

  /// The copy has its own variables of the body: those of the tasks move into
  /// frames, and so does what was computed from their addresses.
  void cloneAddresses(Copy &C, Instruction *Address, Instruction *New) {
    C.Map[Address] = New;
    SmallVector<GetElementPtrInst *, 4> Geps;
    for (User *U : Address->users())
      if (auto *Gep = dyn_cast<GetElementPtrInst>(U))
        if (!is_contained(T.Blocks, Gep->getParent()) &&
            Gep->getPointerOperand() == Address)
          Geps.push_back(Gep);
    for (GetElementPtrInst *Gep : Geps) {
      Instruction *Twin = Gep->clone();
      Twin->setOperand(0, New);
      Twin->insertAfter(Gep);
      cloneAddresses(C, Gep, Twin);
    }
  }

  void clone(Copy &C) {
    for (AllocaInst *A : T.PrivateMemory) {
      Instruction *Twin = A->clone();
      Twin->insertAfter(A);
      cloneAddresses(C, A, Twin);
    }
    SmallVector<MDNode *, 4> Scopes;
    identifyNoAliasScopesToClone(T.Blocks, Scopes);
    SmallVector<BasicBlock *, 16> New;
    for (BasicBlock *BB : T.Blocks) {
      BasicBlock *Twin = CloneBasicBlock(BB, C.Map, ".plain", &F);
      C.Map[BB] = Twin;
      New.push_back(Twin);
    }
    remapInstructionsInBlocks(New, C.Map);
    cloneAndAdaptNoAliasScopes(Scopes, New, Context, "plain");
    for (const ExitEdge &Exit : T.Exits)
      for (PHINode &Phi : Exit.To->phis())
        Phi.addIncoming(C.of(Phi.getIncomingValueForBlock(Exit.From)),
                        C.block(Exit.From));
    BranchInst::Create(C.block(T.Header), C.Enter);
  }

  /// Lets the probe count where tasks would wait.
  void countSwitches() {
    for (BasicBlock *BB : T.Blocks) {
      unsigned Switches = count_if(T.Groups, [&](const AccessGroup &Group) {
        return Group.accesses().front()->getParent() == BB;
      });
      if (!Switches)
        continue;
      IRBuilder<> B(Probe.block(BB)->getTerminator());
      Value *Word = runWord(B, ADAPT_SWITCHES);
      B.CreateStore(B.CreateAdd(B.CreateLoad(B.getInt64Ty(), Word),
                                B.getInt64(Switches)),
                    Word);
    }
  }

  /// All forms start with the values in Control.
  void enter() {
    BranchInst::Create(T.Header, EnterTasks);
    auto StartWith = [&](PHINode *Phi, Value *V) {
      auto SetIn = [&](PHINode *Twin, BasicBlock *Enter) {
        Twin->setIncomingValueForBlock(T.Preheader, V);
        Twin->replaceIncomingBlockWith(T.Preheader, Enter);
      };
      for (Copy *C : {&Plain, &Probe})
        SetIn(cast<PHINode>(C->of(Phi)), C->Enter);
      SetIn(Phi, EnterTasks);
    };
    for (auto [Phi, Value] : Now)
      StartWith(Phi, Value);
    if (PHINode *Counter = Limit.counter())
      StartWith(Counter, Budget);
    T.Preheader = EnterTasks;
  }
};

} // namespace

bool asyncmem::addRunTimeChoice(TaskLoop &T, unsigned Tasks,
                                uint64_t TurnCycles) {
  std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
  if (!Limit)
    return false;
  Chooser(T, *Limit).build(Tasks, TurnCycles);
  return true;
}
