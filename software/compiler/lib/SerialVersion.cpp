// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/SerialVersion.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Iterations that are measured, each by itself. One more runs before them, so
/// that the code is in the caches, and the slowest does not count: one miss is
/// no sign of data in memory.
constexpr unsigned ProbeIterations = 24;

/// A switch costs 10 to 25 cycles and an access in a cache no more; memory costs
/// hundreds. An iteration counts as quick up to this, which includes reading
/// the clock in order.
constexpr unsigned CyclesPerAccess = 40;
constexpr unsigned CyclesPerIteration = 80;

/// A probe that is this much behind has seen memory, and ends.
constexpr unsigned GiveUpCycles = 2000;

/// So many runs of the loop follow a decision before the next probe.
constexpr unsigned RunsPerProbe = 32;

class Versioner {
public:
  explicit Versioner(TaskLoop &T)
      : T(T), F(*T.Header->getParent()), Context(F.getContext()) {}

  void run() {
    Choose = newBlock("choose");
    Known = newBlock("known");
    Decide = newBlock("decide");
    Probe.Enter = newBlock("probe");
    Serial.Enter = newBlock("serial");
    Tasks = newBlock("tasks");
    Type *I32 = Type::getInt32Ty(Context);
    Choice = new GlobalVariable(*F.getParent(), I32, /*isConstant=*/false,
                                GlobalValue::InternalLinkage,
                                ConstantInt::get(I32, 0), "asyncmem.choice");
    Last = variable("probe.last");
    Total = variable("probe.total");
    Slowest = variable("probe.slowest");
    Limit = variable("probe.limit");
    Left = variable("probe.left");
    clone(Serial);
    clone(Probe);
    enter();
    measure();
    T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Choose);
    connectLoops();
    DominatorTree DT(F);
    T.Preheader = Tasks;
    PromoteMemToReg({Last, Total, Slowest, Limit, Left}, DT);
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
  Function &F;
  LLVMContext &Context;
  BasicBlock *Choose, *Known, *Decide, *Tasks;
  Copy Probe, Serial;
  /// Of the probe: clock at the end of the last iteration, cycles of all and of
  /// the slowest one, cycles that would be quick, iterations left.
  AllocaInst *Last, *Total, *Slowest, *Limit, *Left;
  /// What the last decision was: how many runs it still holds for, as tasks if
  /// negative; 0 asks for a probe. Threads may share it in any order.
  GlobalVariable *Choice;

  BasicBlock *newBlock(const Twine &Name) {
    return BasicBlock::Create(Context, "adapt." + Name, &F, T.Header);
  }
  AllocaInst *variable(const Twine &Name) {
    return new AllocaInst(Type::getInt64Ty(Context), 0, Name,
                          &*F.getEntryBlock().getFirstInsertionPt());
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
    SmallVector<BasicBlock *, 16> New;
    for (BasicBlock *BB : T.Blocks) {
      BasicBlock *Twin = CloneBasicBlock(BB, C.Map, ".plain", &F);
      C.Map[BB] = Twin;
      New.push_back(Twin);
    }
    remapInstructionsInBlocks(New, C.Map);
    for (const ExitEdge &Exit : T.Exits)
      for (PHINode &Phi : Exit.To->phis())
        Phi.addIncoming(C.of(Phi.getIncomingValueForBlock(Exit.From)),
                        C.block(Exit.From));
    BranchInst::Create(C.block(T.Header), C.Enter);
  }

  void storeChoice(IRBuilderBase &B, Value *V) {
    B.CreateAlignedStore(V, Choice, Align(4))
        ->setAtomic(AtomicOrdering::Monotonic);
  }

  void enter() {
    IRBuilder<> B(Choose);
    LoadInst *Held = B.CreateAlignedLoad(B.getInt32Ty(), Choice, Align(4));
    Held->setAtomic(AtomicOrdering::Monotonic);
    B.CreateCondBr(B.CreateIsNull(Held), Probe.Enter, Known);
    B.SetInsertPoint(Known);
    Value *ForSerial = B.CreateICmpSGT(Held, B.getInt32(0));
    Value *Step = B.CreateSelect(ForSerial, B.getInt32(-1), B.getInt32(1));
    storeChoice(B, B.CreateAdd(Held, Step));
    B.CreateCondBr(ForSerial, Serial.Enter, Tasks);
  }

  /// Cycle counter, read when everything older is done.
  Value *clock(IRBuilderBase &B) {
    if (Triple(F.getParent()->getTargetTriple()).isX86())
      B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false),
                                  "lfence", "~{memory}",
                                  /*hasSideEffects=*/true));
    return B.CreateIntrinsic(Intrinsic::readcyclecounter, {}, {});
  }

  Value *get(IRBuilderBase &B, AllocaInst *Variable) {
    return B.CreateLoad(B.getInt64Ty(), Variable);
  }

  /// Counts the accesses of the probe and times its iterations.
  void measure() {
    IRBuilder<> B(Probe.Enter->getTerminator());
    for (AllocaInst *Zero : {Last, Total, Slowest, Limit})
      B.CreateStore(B.getInt64(0), Zero);
    B.CreateStore(B.getInt64(ProbeIterations + 1), Left);
    for (BasicBlock *BB : T.Blocks) {
      unsigned Accesses = count_if(T.Remote, [&](Instruction *Access) {
        return Access->getParent() == BB;
      });
      if (!Accesses)
        continue;
      B.SetInsertPoint(Probe.block(BB)->getTerminator());
      B.CreateStore(B.CreateAdd(get(B, Limit),
                                B.getInt64(Accesses * CyclesPerAccess)),
                    Limit);
    }

    BasicBlock *Header = Probe.block(T.Header), *Latch = Probe.block(T.Latch);
    BasicBlock *Check = newBlock("probe.check");
    BasicBlock *First = newBlock("probe.first");
    BasicBlock *Later = newBlock("probe.later");
    BasicBlock *Again = newBlock("probe.again");
    Latch->getTerminator()->replaceSuccessorWith(Header, Check);
    Header->replacePhiUsesWith(Latch, Again);

    B.SetInsertPoint(Check);
    Value *Now = clock(B);
    Value *Cycles = B.CreateSub(Now, get(B, Last));
    B.CreateStore(Now, Last);
    Value *Remaining = B.CreateSub(get(B, Left), B.getInt64(1));
    B.CreateStore(Remaining, Left);
    Value *IsFirst = B.CreateICmpEQ(Remaining, B.getInt64(ProbeIterations));
    B.CreateCondBr(IsFirst, First, Later);

    // The clock starts behind the first iteration.
    B.SetInsertPoint(First);
    B.CreateStore(B.getInt64(0), Limit);
    B.CreateBr(Again);

    B.SetInsertPoint(Later);
    Value *Allowed =
        B.CreateAdd(get(B, Limit), B.getInt64(CyclesPerIteration));
    B.CreateStore(Allowed, Limit);
    Value *Sum = B.CreateAdd(get(B, Total), Cycles);
    B.CreateStore(Sum, Total);
    Value *Longest = B.CreateBinaryIntrinsic(Intrinsic::umax, Cycles,
                                             get(B, Slowest));
    B.CreateStore(Longest, Slowest);
    Value *Counted = B.CreateSub(Sum, Longest);
    Value *Behind = B.CreateICmpUGT(
        Counted, B.CreateAdd(Allowed, B.getInt64(GiveUpCycles)));
    Value *Done = B.CreateOr(B.CreateIsNull(Remaining), Behind);
    B.CreateCondBr(Done, Decide, Again);

    B.SetInsertPoint(Again);
    B.CreateBr(Header);

    B.SetInsertPoint(Decide);
    Value *Quick = B.CreateICmpULE(Counted, Allowed);
    Value *Runs = B.CreateSelect(Quick, B.getInt32(RunsPerProbe),
                                 B.getInt32(-int(RunsPerProbe)));
    storeChoice(B, Runs);
    B.CreateCondBr(Quick, Serial.Enter, Tasks);
  }

  /// The serial copy and the loop itself start from the values before the loop
  /// or from those after the probe.
  void connectLoops() {
    BranchInst::Create(T.Header, Tasks);
    for (PHINode &Phi : T.Header->phis()) {
      Value *Initial = Phi.getIncomingValueForBlock(T.Preheader);
      Value *Probed = Probe.of(Phi.getIncomingValueForBlock(T.Latch));
      for (BasicBlock *Enter : {Serial.Enter, Tasks}) {
        PHINode *Start = PHINode::Create(Phi.getType(), 2, Phi.getName(),
                                         &Enter->front());
        Start->addIncoming(Initial, Known);
        Start->addIncoming(Probed, Decide);
        PHINode *User = Enter == Tasks ? &Phi : cast<PHINode>(Serial.of(&Phi));
        User->setIncomingValueForBlock(T.Preheader, Start);
      }
    }
    T.Header->replacePhiUsesWith(T.Preheader, Tasks);
    Serial.block(T.Header)->replacePhiUsesWith(T.Preheader, Serial.Enter);
    Probe.block(T.Header)->replacePhiUsesWith(T.Preheader, Probe.Enter);
  }
};

} // namespace

void asyncmem::addSerialVersion(TaskLoop &T) { Versioner(T).run(); }
