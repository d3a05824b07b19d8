// SPDX-License-Identifier: Apache-2.0

#include "tasks/DebugValues.h"
#include "common/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

void DebugValues::run(const BasicBlock &BB, State &Now) {
  for (const Instruction &I : BB) {
    auto *Debug = dyn_cast<DbgValueInst>(&I);
    if (!Debug)
      continue;
    bool IsOne = !Debug->hasArgList() && !Debug->isKillLocation();
    Now[DebugVariable(Debug)] = {IsOne ? Debug->getVariableLocationOp(0)
                                       : nullptr,
                                 Debug->getExpression(), Debug->getDebugLoc()};
  }
}

/// \returns true if \p Into changed, as \p Other says something else of a variable.
bool DebugValues::meet(State &Into, const State &Other) {
  bool Changed = false;
  for (auto &[Variable, Value] : Into) {
    auto Found = Other.find(Variable);
    if (Value.V && (Found == Other.end() || Found->second.V != Value.V ||
                    Found->second.Expression != Value.Expression)) {
      Value.V = nullptr;
      Changed = true;
    }
  }
  for (const auto &[Variable, Value] : Other)
    Changed |= Into.insert({Variable, {nullptr, Value.Expression, Value.Where}})
                   .second;
  return Changed;
}

DebugValues::DebugValues(ArrayRef<BasicBlock *> Blocks,
                         ArrayRef<Suspension> Suspensions)
    : Blocks(Blocks), AtSuspension(Suspensions.size()) {
  DenseMap<const BasicBlock *, State> Begin;
  Begin[Blocks.front()];
  auto Reach = [&](const BasicBlock *Next, const State &Now) {
    auto [At, IsNew] = Begin.insert({Next, Now});
    return IsNew || meet(At->second, Now);
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : Blocks) {
      auto At = Begin.find(BB);
      if (At == Begin.end())
        continue;
      State Now = At->second;
      run(*BB, Now);
      for (unsigned S = 0; S != Suspensions.size(); ++S)
        if (Suspensions[S].Before == BB) {
          AtSuspension[S] = Now;
          Changed |= Reach(Suspensions[S].After, Now);
        }
      for (const BasicBlock *Next : successors(BB))
        if (is_contained(Blocks, Next))
          Changed |= Reach(Next, Now);
    }
  }
}

void DebugValues::emit(
    unsigned S, StoreInst &Base,
    function_ref<std::optional<unsigned>(const Value *)> OffsetOf) const {
  DIBuilder Builder(*Base.getModule(), /*AllowUnresolved=*/false);
  for (const auto &[Variable, Now] : AtSuspension[S]) {
    llvm::Value *V = Now.V;
    DIExpression *Expression = Now.Expression;
    std::optional<unsigned> Offset;
    while (V) {
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !is_contained(Blocks, I->getParent()) || (Offset = OffsetOf(I)))
        break;
      SmallVector<uint64_t, 8> Operations;
      SmallVector<llvm::Value *, 2> Others;
      V = salvageDebugInfoImpl(*I, 1, Operations, Others);
      if (!Others.empty())
        V = nullptr;
      else if (V)
        Expression = DIExpression::appendOpsToArg(Expression, Operations, 0,
                                                  /*StackValue=*/true);
    }
    if (Offset) {
      V = Base.getValueOperand();
      Expression =
          DIExpression::prepend(Expression, DIExpression::DerefAfter, *Offset);
    }
    Builder.insertDbgValueIntrinsic(
        V ? V : PoisonValue::get(Base.getPointerOperandType()),
        const_cast<DILocalVariable *>(Variable.getVariable()), Expression,
        Now.Where, Base.getNextNode());
  }
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
