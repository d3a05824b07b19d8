// SPDX-License-Identifier: Apache-2.0
// Uses of a clause's variable by its address become uses of the variable itself, as
// clauses are carried out there.
//
// Algorithm: what may hold the address is followed: parameters, references, closures. Calls
// that get it become part of the function, up to a number; then what only holds the address
// becomes a value. An access of one of two variables becomes a branch with an access of each.
//
//   auto add = [&](int n) { sum += n; }; for (...) add(x[i]);   ->   for (...) sum += x[i];

#include "frontend/Clauses.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// So many calls of one variable's users become part of the function.
constexpr unsigned MaxCalls = 64;
/// Keeps a variable in memory meanwhile.
constexpr char KeepFunction[] = "__asyncmem_keep";

/// \returns the variables that \p Place may be in: itself, or, if a parameter is its
/// address, as a constructor has its object's, the parameter and what it is given.
SmallSetVector<AllocaInst *, 4> variablesOf(Value *Place) {
  SmallSetVector<AllocaInst *, 4> Result;
  SmallVector<Value *, 4> Work = {Place};
  while (!Work.empty()) {
    Value *Next = Work.pop_back_val()->stripInBoundsConstantOffsets();
    if (auto *Variable = dyn_cast<AllocaInst>(Next))
      Result.insert(Variable);
    auto *Load = dyn_cast<LoadInst>(Next);
    auto *Parameter =
        Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    if (!Parameter || !Result.insert(Parameter))
      continue;
    for (User *U : Parameter->users())
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && Store->getPointerOperand() == Parameter)
        Work.push_back(Store->getValueOperand());
  }
  return Result;
}

class DirectUses {
public:
  DirectUses(AllocaInst &Variable, FunctionAnalysisManager &FAM)
      : Variable(Variable), F(*Variable.getFunction()), FAM(FAM) {}

  bool run() {
    bool Changed = inlineCalls();
    while (forgetHolders()) {
      Changed = true;
      if (!inlineCalls())
        break;
    }
    return Changed;
  }

private:
  AllocaInst &Variable;
  Function &F;
  FunctionAnalysisManager &FAM;
  /// What the variable's address may be, or be in; the calls that get it.
  SmallSetVector<Value *, 16> Addresses;
  SmallSetVector<CallBase *, 8> Calls;
  /// Parameters, references and closures.
  SmallPtrSet<AllocaInst *, 8> Holders;
  unsigned Inlined = 0;

  void find() {
    Addresses.clear();
    Calls.clear();
    Holders.clear();
    Addresses.insert(&Variable);
    for (unsigned N = 0; N != Addresses.size(); ++N)
      for (User *U : Addresses[N]->users())
        follow(Addresses[N], cast<Instruction>(*U));
  }

  void follow(Value *Address, Instruction &I) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->getValueOperand() == Address)
        hold(Store->getPointerOperand());
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      if (Copy->getRawSource() == Address)
        hold(Copy->getRawDest());
    } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
      // The variable's value is not its address.
      if (isHeld(Address) || !isa<AllocaInst>(Address))
        Addresses.insert(Load);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (!isa<IntrinsicInst>(Call))
        Calls.insert(Call);
    } else if (isa<GetElementPtrInst, CastInst, InsertValueInst,
                   ExtractValueInst, PHINode, SelectInst>(I)) {
      Addresses.insert(&I);
    }
  }

  bool isHeld(Value *Address) const {
    auto *Holder = dyn_cast<AllocaInst>(Address);
    return Holder && Holders.contains(Holder);
  }

  void hold(Value *Place) {
    for (AllocaInst *Holder : variablesOf(Place))
      if (Holder != &Variable && Holders.insert(Holder).second)
        Addresses.insert(Holder);
  }

  /// \returns true if some calls became part of the function.
  bool inlineCalls() {
    const unsigned Before = Inlined;
    for (find(); Inlined != MaxCalls && inlineOne(); find())
      ++Inlined;
    return Inlined != Before;
  }

  bool inlineOne() {
    return any_of(Calls, [&](CallBase *Call) {
      return canInline(*Call) && inlineCall(*Call);
    });
  }

  /// A pragma is that of one loop: callees that have one stay calls.
  bool canInline(CallBase &Call) const {
    Function *Callee = Call.getCalledFunction();
    return Callee && Callee != &F && !Callee->isDeclaration() &&
           !Callee->isInterposable() && !Callee->hasOptNone() &&
           isInlineCompatible(F, *Callee, FAM) &&
           none_of(instructions(*Callee), [](const Instruction &I) {
             return callsFunction(I, MarkFunction);
           });
  }

  /// Variables that clauses or marks name stay, as all that hold no address.
  bool isKept(AllocaInst &Other) const {
    return !Holders.contains(&Other) ||
           any_of(Other.users(), [](const User *U) {
             auto *Load = dyn_cast<LoadInst>(U);
             return callsFunction(*cast<Instruction>(U), MarkFunction) ||
                    (Load && any_of(Load->users(), [](const User *Of) {
                       return isMark(*cast<Instruction>(Of));
                     }));
           });
  }

  /// Parameters, references and closures become values. \returns true if there
  /// are any.
  bool forgetHolders() {
    if (all_of(Holders, [&](AllocaInst *Holder) { return isKept(*Holder); }))
      return false;
    SmallVector<CallInst *, 16> Keeping;
    LLVMContext &Context = F.getContext();
    IRBuilder<> B(F.getEntryBlock().getTerminator());
    FunctionCallee Keep = F.getParent()->getOrInsertFunction(
        KeepFunction, B.getVoidTy(), PointerType::getUnqual(Context));
    for (Instruction &I : instructions(F))
      if (auto *Other = dyn_cast<AllocaInst>(&I);
          Other && Other->isStaticAlloca() && isKept(*Other))
        Keeping.push_back(B.CreateCall(Keep, Other));
    FAM.invalidate(F, PreservedAnalyses::none());
    SROAPass(SROAOptions::PreserveCFG).run(F, FAM);
    for (CallInst *Call : Keeping)
      Call->eraseFromParent();
    cast<Function>(Keep.getCallee())->eraseFromParent();
    foldCasts();
    return true;
  }

  /// Closures may be handed over as arrays of integers.
  void foldCasts() {
    const SimplifyQuery Query(F.getParent()->getDataLayout());
    SmallVector<WeakTrackingVH, 16> Dead;
    for (Instruction &I : instructions(F))
      if (isa<ExtractValueInst, IntToPtrInst>(I))
        if (Value *Handed = simplifyInstruction(&I, Query)) {
          I.replaceAllUsesWith(Handed);
          Dead.push_back(&I);
        }
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  }
};

/// What holds a variable's address in front of a loop, and is used in it.
class OutsideAddresses {
public:
  OutsideAddresses(AllocaInst &Variable, const Loop &L) : L(L) {
    Addresses.insert(&Variable);
  }

  bool reachLoop() {
    for (unsigned N = 0; N != Addresses.size(); ++N)
      for (User *U : Addresses[N]->users()) {
        auto &I = cast<Instruction>(*U);
        if (!L.contains(&I))
          follow(Addresses[N], I);
        else if (N && !isOverwritten(Addresses[N], I))
          return true;
      }
    return IsLost;
  }

private:
  const Loop &L;
  /// The variable, its addresses outside of the loop, the variables with them.
  SmallSetVector<Value *, 16> Addresses;
  /// It is where no variable is, or in what iterations get copies of.
  bool IsLost = false;

  static bool isOverwritten(Value *Holder, Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    return I.isLifetimeStartOrEnd() ||
           (Store && Store->getValueOperand() != Holder);
  }

  void hold(Value *Place) {
    const auto Holders = variablesOf(Place);
    Addresses.insert(Holders.begin(), Holders.end());
  }

  void follow(Value *Address, Instruction &I) {
    const bool IsVariable = Address == Addresses.front();
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      // Memory that is no variable, or the variable itself, which is copied.
      if (Store->getValueOperand() == Address) {
        const auto Holders = variablesOf(Store->getPointerOperand());
        IsLost |= Holders.empty() || is_contained(Holders, Addresses.front());
        Addresses.insert(Holders.begin(), Holders.end());
      }
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      if (Copy->getRawSource() == Address && !IsVariable)
        hold(Copy->getRawDest());
    } else if (isa<LoadInst>(I)) {
      if (!IsVariable)
        Addresses.insert(&I);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (!isa<IntrinsicInst>(Call))
        followCall(*Call);
    } else if (isa<GetElementPtrInst, CastInst, InsertValueInst,
                   ExtractValueInst, PHINode, SelectInst>(I)) {
      Addresses.insert(&I);
    }
  }

  /// A constructor may keep it in its object, or a function return it.
  void followCall(CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration())
      return;
    for (Value *Other : Call.args())
      if (Other->getType()->isPointerTy())
        hold(Other);
    if (Call.getType()->isPointerTy() || Call.getType()->isAggregateType())
      Addresses.insert(&Call);
  }
};

} // namespace

bool asyncmem::useDirectly(AllocaInst &Variable, FunctionAnalysisManager &FAM) {
  bool IsUsedByAddress = any_of(Variable.users(), [&](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    auto *Call = dyn_cast<CallBase>(U);
    return (Store && Store->getValueOperand() == &Variable) ||
           isa<PHINode, SelectInst>(U) ||
           (Call && !isa<IntrinsicInst>(Call) &&
            !callsFunction(*Call, MarkFunction));
  });
  if (!IsUsedByAddress)
    return false;
  const bool IsDirect = DirectUses(Variable, FAM).run();
  return separateAccesses(Variable, *Variable.getFunction()) || IsDirect;
}

bool asyncmem::isReachedFromOutside(AllocaInst &Variable, const Loop &L) {
  return OutsideAddresses(Variable, L).reachLoop();
}

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
