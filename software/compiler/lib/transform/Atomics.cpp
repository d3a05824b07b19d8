// SPDX-License-Identifier: Apache-2.0

#include "transform/Atomics.h"
#include "loop/Request.h"
#include "transform/OwnerTable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;
using namespace asyncmem;

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
