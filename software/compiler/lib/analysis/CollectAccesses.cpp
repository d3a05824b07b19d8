// SPDX-License-Identifier: Apache-2.0
// What a marked loop does in memory, as far as tasks can do it.
//
// Algorithm: each instruction of the loop is looked at once. A call must be one whose
// effects are known, as a task may not suspend inside it. A load, store or atomic whose
// pointer is remote becomes T.Remote, if the AMU could request it: 1, 2, 4 or 8 aligned
// bytes. The others are local, or the core waits for them.
//
//   for (i) s += x[i] + v[i];   x is marked, x[i] is remote; v[i] is not

#include "analysis/Analyses.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/MemoryVariables.h"
#include "platform.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

// Callees that would run tasks of their own while the tasks of a loop wait: the AMU serves
// one loop at a time. What a call can reach is collected: its callee, what that calls, and of a
// call through a pointer every function whose address is taken. If one of them has a tagged or
// pinned loop, or an AMI instruction, the call may run tasks.
//
//   void f() { #pragma asyncmem ... }   for (i) f();   f() may run tasks

namespace {

using Functions = SmallSetVector<const Function *, 16>;

bool belongsToTasks(const Instruction &I) {
  MDNode *Loop =
      I.isTerminator() ? I.getMetadata(LLVMContext::MD_loop) : nullptr;
  if (Loop && findOptionMDForLoopID(Loop, LoopTag))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  auto *Code = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return callsFunction(I, PinFunction) ||
         (Code &&
          StringRef(Code->getAsmString()).contains(NHG_AMI_OPCODE_NAME));
}

void addCallees(const CallBase &Call, Functions &Found) {
  if (const Function *Callee = Call.getCalledFunction())
    Found.insert(Callee);
  else if (!Call.isInlineAsm())
    for (const Function &F : *Call.getModule())
      if (F.hasAddressTaken())
        Found.insert(&F);
}

bool anyRunsTasks(Functions Found) {
  for (unsigned I = 0; I != Found.size(); ++I)
    for (const Instruction &Inside : instructions(*Found[I])) {
      if (belongsToTasks(Inside))
        return true;
      if (auto *Call = dyn_cast<CallBase>(&Inside))
        addCallees(*Call, Found);
    }
  return false;
}

} // namespace

bool asyncmem::mayRunTasks(const Function &F) {
  Functions Found;
  Found.insert(&F);
  return anyRunsTasks(std::move(Found));
}

bool asyncmem::mayRunTasks(const CallBase &Call) {
  Functions Found;
  addCallees(Call, Found);
  return anyRunsTasks(std::move(Found));
}

namespace {

/// \returns "calls 'name'", as the program writes the name.
std::string calls(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? "calls '" + demangle(Callee->getName()) + "'"
                : "calls through a pointer";
}

bool checkCall(const CallBase &Call, const RemotePointers &Pointers,
               bool Requests, Refusal &No) {
  if (isa<DbgInfoIntrinsic>(Call) || isLifetime(Call) || isMark(Call) ||
      isLock(Call) || isUnlock(Call) || isFatal(Call) || isHeapCall(Call))
    return true;
  // Without volatile and a clobber of memory its outputs follow from its inputs.
  if (Call.isInlineAsm() && !Call.doesNotAccessMemory())
    return refuse(No, "it contains inline assembly; move it out of the loop",
                  &Call);
  if (!isa<CallInst>(Call) || !Call.doesNotThrow())
    return refuse(No,
                  "it " + calls(Call) +
                      ", which may throw; define it in this file, noexcept",
                  &Call);
  if (Call.isConvergent())
    return refuse(No, "a call in it is convergent", &Call);
  if (Call.hasMetadata(PlainCallTag))
    return true;
  if (auto *Transfer = dyn_cast<AnyMemIntrinsic>(&Call)) {
    auto *Copy = dyn_cast<AnyMemTransferInst>(Transfer);
    if (isa<AtomicMemIntrinsic>(Transfer) ||
        (isa<MemIntrinsic>(Transfer) &&
         cast<MemIntrinsic>(Transfer)->isVolatile()))
      return refuse(
          No,
          "it contains a volatile or atomic access; move it out of the loop",
          &Call);
    if (Pointers.isRemote(Transfer->getRawDest()) ||
        (Copy && Pointers.isRemote(Copy->getRawSource())))
      return refuse(No,
                    "it copies or fills a block of remote memory whose size is "
                    "not known or above " +
                        Twine(MaxBlockBytes) + " bytes; use memcpy or a loop",
                    &Call);
    return true;
  }
  if (Call.getIntrinsicID() == Intrinsic::stacksave)
    return refuse(
        No, "it allocates stack memory of variable size; make it fixed", &Call);
  if (Call.doesNotAccessMemory() || Call.onlyReadsMemory())
    return !Requests || !mayRunTasks(Call) ||
           refuse(No,
                  "it " + calls(Call) +
                      ", where a loop has tasks of its own; remove that loop's "
                      "pragma, as the AMU serves one loop at a time",
                  &Call);
  if (isa<IntrinsicInst>(Call) && !Call.mayReadFromMemory() &&
      Call.onlyAccessesInaccessibleMemory())
    return true;
  if (is_contained({Intrinsic::assume, Intrinsic::prefetch,
                    Intrinsic::invariant_start,
                    Intrinsic::experimental_noalias_scope_decl},
                   Call.getIntrinsicID()))
    return true;
  std::string Why = "whose effects are unknown; define it in this file";
  if (MDNode *Left = Call.getMetadata(LeftCallTag))
    Why = cast<MDString>(Left->getOperand(0))->getString();
  else if (maySetErrno(Call))
    Why = "which may set errno; compile with -fno-math-errno";
  else if (Call.getCalledFunction() &&
           Call.getCalledFunction()->getName() == "__cxa_guard_acquire")
    Why = "which initializes a static variable; define that before the loop";
  return refuse(No, "it " + calls(Call) + ", " + Why, &Call);
}

bool readsRemoteMemory(const CallBase &Call, const RemotePointers &Pointers) {
  return Call.onlyReadsMemory() && !Call.doesNotAccessMemory() &&
         !Call.hasMetadata(TouchedTag) &&
         any_of(Call.args(), [&](const Use &Argument) {
           return Argument->getType()->isPointerTy() &&
                  Pointers.isRemote(Argument);
         });
}

/// Prefetches do not care how wide an access is, or where it begins.
bool checkRemoteAccess(const Instruction &I, bool Requests, Refusal &No) {
  const DataLayout &DL = I.getModule()->getDataLayout();
  TypeSize Bits = DL.getTypeSizeInBits(accessType(&I));
  if (Bits.isScalable() || Bits.getFixedValue() % 8)
    return refuse(
        No, "a remote access has no fixed number of bytes; use a type that has",
        &I);
  if (!Requests)
    return true;
  if (Bits.getFixedValue() > 64 || !isPowerOf2_64(Bits.getFixedValue()))
    return refuse(No, "a remote access is not 1, 2, 4 or 8 bytes wide", &I);
  if (accessAlignment(&I).value() < Bits.getFixedValue() / 8)
    return refuse(No, "a remote access may be misaligned", &I);
  return true;
}

bool suspends(const Instruction &I, const RemotePointers &Pointers) {
  const Value *Pointer = accessPointer(&I);
  return isLock(I) || (Pointer && Pointers.isRemote(Pointer));
}

/// \returns true if \p Inner may come from \p I to \p I again without another task
/// running in between.
bool repeatsAlone(const Loop &Inner, const Instruction &I,
                  const RemotePointers &Pointers) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const Instruction *, 16> Work = {I.getNextNode()};
  while (!Work.empty()) {
    const Instruction *Next = Work.pop_back_val();
    while (Next && Next != &I && !suspends(*Next, Pointers)) {
      if (Next->isTerminator())
        for (const BasicBlock *BB : successors(Next->getParent()))
          if (Inner.contains(BB) && Seen.insert(BB).second)
            Work.push_back(&BB->front());
      Next = Next->getNextNode();
    }
    if (Next == &I)
      return true;
  }
  return false;
}

/// \returns true if \p V counts the iterations of \p L.
bool isCounter(const Value *V, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  auto *Phi = dyn_cast<PHINode>(V);
  if (auto *Step = dyn_cast<BinaryOperator>(V))
    Phi = dyn_cast<PHINode>(Step->getOperand(0));
  if (!Latch || !Phi || Phi->getParent() != L.getHeader())
    return false;
  const Value *Next = Phi->getIncomingValueForBlock(Latch);
  auto *Step = dyn_cast<BinaryOperator>(Next);
  return Step && (V == Phi || V == Step) && Step->getOperand(0) == Phi &&
         Step->getOpcode() == Instruction::Add &&
         isa<ConstantInt>(Step->getOperand(1));
}

/// \returns true if a counter ends \p L, whatever else may.
bool isCounted(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    if (!Compare || !L.isLoopExiting(BB) ||
        (BB != L.getHeader() && BB != L.getLoopLatch()))
      return false;
    const Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
    return (isCounter(A, L) && L.isLoopInvariant(B)) ||
           (isCounter(B, L) && L.isLoopInvariant(A));
  });
}

/// Writes down of each access who waits for it.
void judgeAccesses(TaskLoop &T, const RemotePointers &Pointers) {
  const bool IsRead = wantsRemarks(*T.Header->getParent());
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB) {
      const Value *Pointer = accessPointer(&I);
      if (!Pointer)
        continue;
      const bool IsWaiting = isa<LoadInst>(I) && !T.isRemote(&I) &&
                             !Pointers.areUnmarked() &&
                             Pointers.isUnknown(Pointer);
      const bool IsForgotten =
          IsWaiting && comesFrom(T, accessPointer(&I), [&](Instruction &From) {
            return T.isRemote(&From) ? Origin::Found : Origin::GoOn;
          });
      if (!IsRead && !IsForgotten)
        continue;
      T.Verdicts.push_back({I.getDebugLoc(), T.isRemote(&I), IsWaiting,
                            IsForgotten, Pointers.reason(Pointer)});
    }
}

/// \returns null if \p I, an atomic operation on local memory, may run in a task
/// as it is, else why not: an inner loop that ends when another task writes must
/// let that task run.
const char *checkLocalAtomic(const TaskLoop &T, const RemotePointers &Pointers,
                             const Instruction &I) {
  if (I.use_empty())
    return nullptr;
  for (const Loop *Inner : *T.L) {
    if (!Inner->contains(&I) || !repeatsAlone(*Inner, I, Pointers))
      continue;
    bool Suspends =
        anyInstruction(Inner->blocks(), [&](const Instruction &Other) {
          return suspends(Other, Pointers);
        });
    if (Suspends && isCounted(*Inner))
      continue;
    const Value *Pointer = accessPointer(&I);
    return isa<LoadInst>(I) && !Inner->isLoopInvariant(Pointer) &&
                   Pointers.isUnknown(Pointer)
               ? "a loop in it follows pointers by ordered loads; mark them "
                 "with __builtin_is_remote"
               : "a loop in it may wait for another iteration without a remote "
                 "access; use asyncmem_lock";
  }
  return nullptr;
}

/// The AMU makes several instructions of a remote atomic operation. \returns false
/// if what is local may come in between where the operation is not remote.
bool checkMixedAtomics(const TaskLoop &T, const RemotePointers &Pointers,
                       Refusal &No) {
  SmallPtrSet<const Value *, 4> Objects;
  for (auto [I, Object] : T.UnmarkedObjects)
    if (I->isAtomic() && !T.isRemote(dyn_cast<Instruction>(Object)))
      Objects.insert(getUnderlyingObject(Object));
  if (Objects.empty())
    return true;
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : *BB) {
      const Value *Pointer = accessPointer(&I);
      if (Pointer && !Pointers.isRemote(Pointer) &&
          (I.isAtomic() || I.mayWriteToMemory()) &&
          Objects.contains(getUnderlyingObject(Pointer)))
        return refuse(No,
                      "it changes local memory, which an atomic operation of "
                      "other iterations may reach, too, by a remote pointer",
                      &I);
    }
  return true;
}

} // namespace

bool asyncmem::collectAccesses(TaskLoop &T, const RemotePointers &Pointers,
                               bool Requests, Refusal &No) {
  const RemotePointers Promised(*T.L, {LossyUpdate, DistinctUpdate});
  const RemotePointers Lossy(*T.L, LossyUpdate);
  for (BasicBlock *BB : T.Blocks) {
    for (Instruction &I : *BB) {
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (!checkCall(*Call, Pointers, Requests, No))
          return false;
        if (readsRemoteMemory(*Call, Pointers))
          T.ReadingCalls.push_back(Call);
        continue;
      }
      if (I.isVolatile())
        return refuse(
            No, "it contains a volatile access; move it out of the loop", &I);
      if (isa<IndirectBrInst>(I) || I.isEHPad())
        return refuse(No,
                      "it contains a computed jump or handles exceptions; use "
                      "a switch, no exceptions",
                      &I);
      const Value *Pointer = accessPointer(&I);
      if (!Pointer)
        continue;
      if (!Pointers.isRemote(Pointer)) {
        const char *Why =
            I.isAtomic() ? checkLocalAtomic(T, Pointers, I) : nullptr;
        if (Why)
          return refuse(No, Why, &I);
        continue;
      }
      if (!checkRemoteAccess(I, Requests, No))
        return false;
      T.Remote.push_back(&I);
      if (Promised.isRemote(Pointer))
        T.Promised.insert(&I);
      if (Lossy.isRemote(Pointer))
        T.Lossy.insert(&I);
      for (const Value *Object : Pointers.unmarkedObjects(Pointer))
        T.UnmarkedObjects.push_back({&I, Object});
    }
  }
  judgeAccesses(T, Pointers);
  return !Requests || checkMixedAtomics(T, Pointers, No);
}
