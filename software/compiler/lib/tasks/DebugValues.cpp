// SPDX-License-Identifier: Apache-2.0

#include "tasks/DebugValues.h"
#include "common/Names.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

void DebugValues::run(const BasicBlock &BB, State &Now) {
  for (const Instruction &I : BB) {
    auto *Debug = dyn_cast<DbgValueInst>(&I);
    if (!Debug)
      continue;
    Known &Next = Now[DebugVariable(Debug)] = {
        nullptr, {}, Debug->getExpression(), Debug->getDebugLoc()};
    if (Debug->isKillLocation())
      continue;
    Next.V = Debug->getVariableLocationOp(0);
    for (unsigned Op = 1; Op != Debug->getNumVariableLocationOps(); ++Op)
      Next.Others.push_back(Debug->getVariableLocationOp(Op));
  }
}

/// Lets \p Begin be what holds at the begin of \p BB, at whose predecessors \p Ends hold.
/// A value goes from one to a phi of \p BB, or to none, never back. \returns true if one did.
bool DebugValues::join(const BasicBlock &BB,
                       ArrayRef<std::pair<BasicBlock *, const State *>> Ends,
                       State &Begin) {
  bool Changed = false;
  for (const auto &Each : Ends)
    for (const auto &[Variable, Value] : *Each.second) {
      auto At = [&, V = Variable](const State *End) {
        auto Found = End->find(V);
        return Found == End->end() ? Known() : Found->second;
      };
      const Known First = At(Ends.front().second);
      Known Now = {nullptr, {}, Value.Expression, Value.Where};
      if (all_of(Ends, [&](auto &End) { return At(End.second).isSame(First); }))
        Now = First;
      else
        for (const PHINode &Phi : BB.phis())
          if (all_of(Ends, [&](auto &End) {
                const Known Of = At(End.second);
                return Of.V == Phi.getIncomingValueForBlock(End.first) &&
                       Of.Expression == First.Expression && Of.Others.empty();
              }))
            Now.V = const_cast<PHINode *>(&Phi);
      auto [Old, IsNew] = Begin.insert({Variable, Now});
      if (IsNew || Old->second.isSame(Now)) {
        Changed |= IsNew;
        continue;
      }
      if (auto *Phi = dyn_cast_or_null<PHINode>(Old->second.V);
          !Old->second.V || (Phi && Phi->getParent() == &BB))
        Now.V = nullptr;
      Changed |= Old->second.V != Now.V;
      Old->second = Now;
    }
  return Changed;
}

DebugValues::DebugValues(ArrayRef<BasicBlock *> Blocks,
                         ArrayRef<Suspension> Suspensions)
    : Blocks(Blocks), AtSuspension(Suspensions.size()) {
  DenseMap<const BasicBlock *, State> Begin, End;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *BB : Blocks) {
      SmallVector<std::pair<BasicBlock *, const State *>, 4> Ends;
      auto Add = [&](BasicBlock *From) {
        if (auto At = End.find(From); At != End.end())
          Ends.push_back({From, &At->second});
      };
      for (BasicBlock *From : predecessors(BB))
        Add(From);
      for (const Suspension &S : Suspensions)
        if (S.After == BB)
          Add(S.Before);
      if (Ends.empty() && BB != Blocks.front())
        continue;
      Changed |= join(*BB, Ends, Begin[BB]) || !End.contains(BB);
      State Now = Begin[BB];
      run(*BB, Now);
      End[BB] = Now;
    }
  }
  for (unsigned S = 0; S != Suspensions.size(); ++S) {
    AtSuspension[S] = End.lookup(Suspensions[S].Before);
    for (auto &[Variable, Value] : AtSuspension[S]) {
      if (!Value.V || Value.Expression->getNumElements())
        continue;
      for (User *Computed : Value.V->users()) {
        auto *Field = dyn_cast<GetElementPtrInst>(Computed);
        if (!Field || Field->getPointerOperand() != Value.V)
          continue;
        const DataLayout &DL = Field->getModule()->getDataLayout();
        APInt Behind(DL.getIndexTypeSizeInBits(Field->getType()), 0);
        if (Field->accumulateConstantOffset(DL, Behind))
          Value.Fields.push_back({Field, Behind.getSExtValue()});
      }
    }
  }
}

void DebugValues::emit(
    unsigned S, StoreInst &Base,
    function_ref<std::optional<unsigned>(const Value *)> OffsetOf) const {
  DIBuilder Builder(*Base.getModule(), /*AllowUnresolved=*/false);
  Value *Lost = PoisonValue::get(Base.getPointerOperandType());
  for (const auto &[Variable, Now] : AtSuspension[S]) {
    SmallVector<Value *, 2> Places = {Now.V ? Now.V : Lost};
    Places.append(Now.Others);
    DIExpression *Expression = Now.Expression;
    for (unsigned N = 0; N != Places.size() && Places[N]; ++N) {
      Value *&V = Places[N];
      std::optional<unsigned> Offset;
      while (V) {
        auto *I = dyn_cast<Instruction>(V);
        if (!I || !is_contained(Blocks, I->getParent()) ||
            (Offset = OffsetOf(I)))
          break;
        SmallVector<uint64_t, 8> Operations;
        SmallVector<Value *, 2> Others;
        V = Places.size() == 1 ? salvageDebugInfoImpl(*I, 1, Operations, Others)
                               : nullptr;
        if (!Others.empty())
          V = nullptr;
        else if (V)
          Expression = DIExpression::appendOpsToArg(Expression, Operations, 0,
                                                    /*StackValue=*/true);
      }
      if (!Offset)
        continue;
      V = Base.getValueOperand();
      SmallVector<uint64_t, 4> InFrame;
      DIExpression::appendOffset(InFrame, *Offset);
      InFrame.push_back(dwarf::DW_OP_deref);
      Expression = Places.size() == 1
                       ? DIExpression::prependOpcodes(Expression, InFrame)
                       : DIExpression::appendOpsToArg(Expression, InFrame, N);
    }
    for (auto [Field, Behind] : Now.Fields)
      if (std::optional<unsigned> Offset = OffsetOf(Field);
          Offset && !Places[0]) {
        Places[0] = Base.getValueOperand();
        Expression = DIExpression::prepend(
            DIExpression::prepend(Expression, DIExpression::StackValue,
                                  -Behind),
            DIExpression::DerefAfter, *Offset);
      }
    const bool IsLost = is_contained(Places, nullptr);
    auto *Debug = cast<DbgVariableIntrinsic>(Builder.insertDbgValueIntrinsic(
        IsLost ? Lost : Places[0],
        const_cast<DILocalVariable *>(Variable.getVariable()),
        IsLost ? DIExpression::get(Base.getContext(), {}) : Expression,
        Now.Where, Base.getNextNode()));
    if (!IsLost && Places.size() > 1)
      Debug->addVariableLocationOps(ArrayRef(Places).drop_front(), Expression);
  }
}

SmallVector<MemoryVariable, 2>
asyncmem::takeMemoryVariables(ArrayRef<AllocaInst *> Memory) {
  SmallVector<MemoryVariable, 2> Found;
  for (AllocaInst *A : Memory) {
    SmallVector<DbgVariableIntrinsic *, 4> Uses;
    findDbgUsers(Uses, A);
    for (DbgVariableIntrinsic *Use : Uses) {
      if (!isa<DbgDeclareInst, DbgAssignIntrinsic>(Use))
        continue;
      if (none_of(Found, [&](const MemoryVariable &Other) {
            return Other.Variable == Use->getVariable();
          }))
        Found.push_back({A, Use->getVariable(), Use->getDebugLoc()});
      Use->eraseFromParent();
    }
  }
  return Found;
}

void MemoryVariable::emit(StoreInst &Base, unsigned Offset) const {
  DIBuilder(*Base.getModule(), /*AllowUnresolved=*/false)
      .insertDbgValueIntrinsic(
          Base.getValueOperand(), Variable,
          DIExpression::prepend(DIExpression::get(Base.getContext(), {}),
                                DIExpression::DerefAfter, Offset),
          Where, Base.getNextNode());
}

void asyncmem::declareVariable(AllocaInst &Place,
                               ArrayRef<Instruction *> Values) {
  SmallVector<DbgValueInst *, 8> Uses;
  for (Instruction *V : Values)
    findDbgValues(Uses, V);
  // What else is computed from the values stays where it is.
  erase_if(Uses, [](const DbgValueInst *Use) {
    return Use->hasArgList() || Use->getExpression()->getNumElements();
  });
  if (Uses.empty())
    return;
  const DebugVariable Variable(Uses.front());
  if (any_of(Uses, [&](const DbgValueInst *Use) {
        return !(DebugVariable(Use) == Variable);
      }))
    return;
  DIBuilder(*Place.getModule(), /*AllowUnresolved=*/false)
      .insertDeclare(&Place, Uses.front()->getVariable(),
                     Uses.front()->getExpression(), Uses.front()->getDebugLoc(),
                     Place.getNextNode());
  for (DbgValueInst *Use : Uses)
    Use->eraseFromParent();
}

/// What was reloaded is in the frame still, and longer than in a register.
static void nameFrame(DbgValueInst &Debug) {
  auto *Reload =
      Debug.hasArgList()
          ? nullptr
          : dyn_cast_or_null<LoadInst>(Debug.getVariableLocationOp(0));
  if (!Reload || !Reload->hasMetadata(ContextTag))
    return;
  const DataLayout &DL = Reload->getModule()->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Reload->getPointerOperandType()), 0);
  Value *Base = Reload->getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  Debug.replaceVariableLocationOp(0u, Base);
  Debug.setExpression(DIExpression::prepend(
      Debug.getExpression(), DIExpression::DerefAfter, Offset.getSExtValue()));
}

/// LLVM's newer way to follow variables in machine code, on x86-64 the default, loses phis
/// whose block is copied, and the jump to a task is copied behind each part of it.
static void followByRegister() {
  constexpr char Name[] = "experimental-debug-variable-locations";
  auto Found = cl::getRegisteredOptions().find(Name);
  if (Found != cl::getRegisteredOptions().end() &&
      !Found->second->getNumOccurrences())
    Found->second->addOccurrence(0, Name, "false");
}

void asyncmem::finishDebugValues(ArrayRef<BasicBlock *> Blocks,
                                 const DominatorTree &DT) {
  const DISubprogram *Function = Blocks.front()->getParent()->getSubprogram();
  if (!Function ||
      Function->getUnit()->getEmissionKind() != DICompileUnit::FullDebug)
    return;
  followByRegister();
  for (BasicBlock *BB : Blocks)
    for (Instruction &I : *BB) {
      auto *Debug = dyn_cast<DbgValueInst>(&I);
      if (!Debug)
        continue;
      nameFrame(*Debug);
      if (any_of(Debug->location_ops(), [&](Value *V) {
            auto *Definition = dyn_cast<Instruction>(V);
            return Definition && !DT.dominates(Definition, Debug);
          }))
        Debug->setKillLocation();
    }
}
