// SPDX-License-Identifier: Apache-2.0
// Remote words that one task at a time may update, on the AMU.
//
// 1. A table of 1,024 locks, to which an address hashes.
// 2. An update that tasks may meet in takes the lock of its word in front of its first
//    load and releases it behind its last store.
// 3. A remote atomic operation becomes such an update.
//
//   atomic_fetch_add(p, n)  ->  lock(&owners[hash(p)]); old = *p; *p = old + n; unlock

#include "transform/Transforms.h"
#include "analysis/Analyses.h"
#include "common/Instructions.h"
#include "common/Target.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace asyncmem;

/// Two words that share a lock wait for each other without need, which is rare
/// with as many locks as tasks.
static constexpr unsigned OwnerLog2 = 10;

namespace {

/// The table of one loop, T.Owners, made when it is first needed.
class OwnerTable {
public:
  explicit OwnerTable(TaskLoop &T) : T(T) {}

  /// Takes the lock for the word around \p Pointer where \p B stands. \returns
  /// the lock.
  Value *own(IRBuilderBase &B, Value *Pointer) {
    Type *Table = ArrayType::get(B.getInt64Ty(), uint64_t(1) << OwnerLog2);
    if (!T.Owners) {
      // All locks are free when the loop ends, so that it is filled only once.
      T.Owners = new GlobalVariable(
          *T.Header->getModule(), Table,
          /*isConstant=*/false, GlobalValue::InternalLinkage,
          ConstantAggregateZero::get(Table), "asyncmem.owners");
      T.Owners->setAlignment(Align(LineBytes));
    }
    // Multiplicative hashing of the word's number by 2^64 / golden ratio.
    Value *Word = B.CreateLShr(B.CreatePtrToInt(Pointer, B.getInt64Ty()), 3);
    Value *Hash = B.CreateMul(Word, B.getInt64(0x9e3779b97f4a7c15));
    Value *Lock = B.CreateInBoundsGEP(
        Table, T.Owners, {B.getInt64(0), B.CreateLShr(Hash, 64 - OwnerLog2)});
    call(B, LockFunction, Lock);
    return Lock;
  }

  /// Gives \p Lock back.
  void release(IRBuilderBase &B, Value *Lock) { call(B, UnlockFunction, Lock); }

private:
  TaskLoop &T;

  static void call(IRBuilderBase &B, StringRef Name, Value *Lock) {
    callFunction(B, Name, {Lock})->setDoesNotThrow();
  }
};

} // namespace

/// \returns a block on the critical edge. LoopInfo is not told before it is there:
/// to keep its form, other edges that leave the loop for \p To would go to a new
/// block, but ends of the region are on those, too.
static BasicBlock *splitEdge(BasicBlock &From, BasicBlock &To,
                             DominatorTree &DT, LoopInfo &LI) {
  BasicBlock *Between = SplitCriticalEdge(
      &From, &To, CriticalEdgeSplittingOptions(&DT).setMergeIdenticalEdges());
  assert(Between && "several ways lead to the end of the edge");
  Loop *Around = LI.getLoopFor(&From);
  while (!Around->contains(&To))
    Around = Around->getParentLoop();
  Around->addBasicBlockToLoop(Between, LI);
  return Between;
}

void asyncmem::takeOwnership(TaskLoop &T, FunctionAnalysisManager &FAM) {
  Function &F = *T.Header->getParent();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  OwnerTable Owners(T);
  for (const RemoteUpdate &U : T.Updates) {
    UpdateRegion Region(T, U);
    assert(!Region.isOpen() && "findRemoteUpdates refuses those");
    IRBuilder<> B(U.First);
    Value *Lock = Owners.own(B, U.First->getPointerOperand());
    for (auto [Last, To] : Region.ends()) {
      if (!To) {
        B.SetInsertPoint(Last->getNextNode());
      } else if (To->getUniquePredecessor()) {
        B.SetInsertPoint(&*To->getFirstInsertionPt());
      } else {
        BasicBlock *From = Last->getParent();
        BasicBlock *Between = splitEdge(*From, *To, DT, LI);
        T.addBlocks(From, Between);
        B.SetInsertPoint(Between->getTerminator());
      }
      B.SetCurrentDebugLocation(Last->getDebugLoc());
      Owners.release(B, Lock);
    }
  }
  if (T.Updates.empty())
    return;
  for (Instruction *Access : T.Remote) {
    if (!Access->isAtomic())
      continue;
    IRBuilder<> B(Access);
    Value *Lock = Owners.own(B, accessPointer(Access));
    B.SetInsertPoint(Access->getNextNode());
    Owners.release(B, Lock);
  }
}

namespace {

class Expander {
public:
  explicit Expander(TaskLoop &T) : T(T), Owners(T) {}

  void run() {
    SmallVector<Instruction *, 8> Old = std::move(T.Remote);
    T.Remote.clear();
    for (Instruction *Access : Old)
      expand(Access);
  }

private:
  TaskLoop &T;
  OwnerTable Owners;

  void expand(Instruction *Access) {
    if (!Access->isAtomic()) {
      T.Remote.push_back(Access);
      return;
    }
    IRBuilder<> B(Access);
    Value *Lock = Owners.own(B, accessPointer(Access));
    auto *Load = dyn_cast<LoadInst>(Access);
    auto *Store = dyn_cast<StoreInst>(Access);
    if (Load || Store) {
      // A load, too: while a request stores, its bytes are the AMU's (contract,
      // rule 6).
      if (Load)
        Load->setAtomic(AtomicOrdering::NotAtomic);
      else
        Store->setAtomic(AtomicOrdering::NotAtomic);
      T.Remote.push_back(Access);
      B.SetInsertPoint(Access->getNextNode());
    } else {
      Value *Pointer = accessPointer(Access);
      LoadInst *Loaded = B.CreateAlignedLoad(accessType(Access), Pointer,
                                             accessAlignment(Access));
      auto [New, Result] = compute(B, Access, Loaded);
      T.Remote.push_back(Loaded);
      T.Remote.push_back(
          B.CreateAlignedStore(New, Pointer, accessAlignment(Access)));
      Access->replaceAllUsesWith(Result);
    }
    Owners.release(B, Lock);
    if (!Load && !Store)
      Access->eraseFromParent();
  }

  /// \returns the value to store and the result of the operation.
  std::pair<Value *, Value *> compute(IRBuilderBase &B, Instruction *Access,
                                      Value *Loaded) {
    if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
      return {buildAtomicRMWValue(Update->getOperation(), B, Loaded,
                                  Update->getValOperand()),
              Loaded};
    auto *Exchange = cast<AtomicCmpXchgInst>(Access);
    Value *Equal = B.CreateICmpEQ(Loaded, Exchange->getCompareOperand());
    Value *New = B.CreateSelect(Equal, Exchange->getNewValOperand(), Loaded);
    Value *Result =
        B.CreateInsertValue(PoisonValue::get(Exchange->getType()), Loaded, 0);
    return {New, B.CreateInsertValue(Result, Equal, 1)};
  }
};

} // namespace

void asyncmem::expandRemoteAtomics(TaskLoop &T) { Expander(T).run(); }
