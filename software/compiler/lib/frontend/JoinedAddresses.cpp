// SPDX-License-Identifier: Apache-2.0

#include "frontend/JoinedAddresses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace {

class Separation {
public:
  explicit Separation(const Function &F) : F(F) {}

  bool run(Value &Address) {
    bool Changed = false;
    for (Instruction *Join : joinsOf(Address))
      if (Seen.insert(Join).second) {
        // What joins this address again is no access of it.
        Changed |= run(*Join);
        Changed |= separate(*Join, Address);
      }
    return Changed;
  }

private:
  const Function &F;
  SmallPtrSet<Instruction *, 8> Seen;

  SmallVector<Instruction *, 4> joinsOf(Value &Address) const {
    SmallVector<Instruction *, 4> Result;
    for (User *U : Address.users())
      if (isa<PHINode, SelectInst>(U) && U->getType()->isPointerTy() &&
          cast<Instruction>(U)->getFunction() == &F)
        Result.push_back(cast<Instruction>(U));
    return Result;
  }

  static bool isAccess(const User *U, const Value *Address) {
    auto *I = cast<Instruction>(U);
    auto *Store = dyn_cast<StoreInst>(I);
    return getLoadStorePointerOperand(I) == Address && !I->isAtomic() &&
           !(Store && Store->getValueOperand() == Address);
  }

  /// \returns whether \p Join is \p Address, and what it is otherwise.
  static std::pair<Value *, Value *> choiceOf(Instruction &Join,
                                              Value &Address) {
    if (auto *Select = dyn_cast<SelectInst>(&Join)) {
      IRBuilder<> B(Select);
      const bool First = Select->getTrueValue() == &Address;
      return {First ? Select->getCondition()
                    : B.CreateNot(Select->getCondition()),
              First ? Select->getFalseValue() : Select->getTrueValue()};
    }
    auto &Phi = cast<PHINode>(Join);
    IRBuilder<> B(&Phi);
    const unsigned Count = Phi.getNumIncomingValues();
    PHINode *IsAddress = B.CreatePHI(B.getInt1Ty(), Count);
    PHINode *Other = B.CreatePHI(Phi.getType(), Count);
    for (unsigned N = 0; N != Count; ++N) {
      Value *Incoming = Phi.getIncomingValue(N);
      BasicBlock *From = Phi.getIncomingBlock(N);
      const bool Is = Incoming == &Address;
      IsAddress->addIncoming(B.getInt1(Is), From);
      Other->addIncoming(Is ? PoisonValue::get(Phi.getType()) : Incoming, From);
    }
    // Often there is one other variable only.
    if (Other->hasConstantOrUndefValue())
      for (Value *Same : Phi.incoming_values())
        if (Same != &Address && isVariable(*Same)) {
          Other->eraseFromParent();
          return {IsAddress, Same};
        }
    return {IsAddress, Other};
  }

  static bool isVariable(const Value &V) {
    auto *Local = dyn_cast<AllocaInst>(&V);
    return isa<GlobalVariable>(V) || (Local && Local->isStaticAlloca());
  }

  static bool separate(Instruction &Join, Value &Address) {
    SmallVector<Instruction *, 4> Accesses;
    for (User *U : Join.users())
      if (isAccess(U, &Join))
        Accesses.push_back(cast<Instruction>(U));
    if (Accesses.empty() || Accesses.size() != Join.getNumUses())
      return false;
    auto [IsAddress, Other] = choiceOf(Join, Address);
    for (Instruction *Access : Accesses)
      divide(Access, IsAddress, Address, *Other);
    Join.eraseFromParent();
    return true;
  }

  static void divide(Instruction *Access, Value *IsAddress, Value &Address,
                     Value &Other) {
    Instruction *Then = nullptr, *Else = nullptr;
    SplitBlockAndInsertIfThenElse(IsAddress, Access, &Then, &Else);
    Value *Joined = const_cast<Value *>(getLoadStorePointerOperand(Access));
    Instruction *Here = Access->clone(), *There = Access->clone();
    Here->insertBefore(Then);
    Here->replaceUsesOfWith(Joined, &Address);
    There->insertBefore(Else);
    There->replaceUsesOfWith(Joined, &Other);
    if (!Access->getType()->isVoidTy()) {
      IRBuilder<> B(Access);
      PHINode *Result = B.CreatePHI(Access->getType(), 2);
      Result->addIncoming(Here, Here->getParent());
      Result->addIncoming(There, There->getParent());
      Access->replaceAllUsesWith(Result);
    }
    Access->eraseFromParent();
  }
};

} // namespace

bool asyncmem::separateAccesses(Value &Variable, const Function &F) {
  return Separation(F).run(Variable);
}
