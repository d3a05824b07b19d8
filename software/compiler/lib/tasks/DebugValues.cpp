// SPDX-License-Identifier: Apache-2.0

#include "tasks/DebugValues.h"
#include "common/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

/// By which a debugger computes what is not kept.
static constexpr unsigned MostOperations = 4;

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

/// \returns what is known where \p BB begins, of which so far \p End knows some of those
/// \p Before it.
DebugValues::State DebugValues::begin(const BasicBlock &BB,
                                      ArrayRef<const BasicBlock *> Before,
                                      const States &End) {
  State Now;
  for (const BasicBlock *From : Before)
    if (auto At = End.find(From); At != End.end())
      for (const auto &[Variable, Value] : At->second)
        Now.insert({Variable, Value});
  for (auto &[Variable, Value] : Now) {
    auto IsEach = [&, &Of = Variable](auto Expected) {
      return all_of(Before, [&](const BasicBlock *From) {
        auto At = End.find(From);
        if (At == End.end())
          return true;
        auto Found = At->second.find(Of);
        return Found != At->second.end() && Found->second.V == Expected(From) &&
               Found->second.Expression == Now.find(Of)->second.Expression;
      });
    };
    llvm::Value *Same = Value.V;
    if (IsEach([&](const BasicBlock *) { return Same; }))
      continue;
    Value.V = nullptr;
    for (const PHINode &Phi : BB.phis())
      if (IsEach([&](const BasicBlock *From) -> llvm::Value * {
            int Index = Phi.getBasicBlockIndex(From);
            return Index < 0 ? nullptr : Phi.getIncomingValue(Index);
          }))
        Value.V = const_cast<PHINode *>(&Phi);
  }
  return Now;
}

DebugValues::DebugValues(ArrayRef<BasicBlock *> Blocks,
                         ArrayRef<Suspension> Suspensions)
    : Blocks(Blocks) {
  AtSuspension.resize(Suspensions.size());
  if (!Blocks.front()->getParent()->getSubprogram())
    return;
  DenseMap<const BasicBlock *, SmallVector<const BasicBlock *, 4>> Before;
  for (BasicBlock *BB : Blocks)
    for (BasicBlock *Next : successors(BB))
      Before[Next].push_back(BB);
  for (const Suspension &S : Suspensions)
    Before[S.After].push_back(S.Before);
  States End;
  // A phi that stands for others may appear and go; then nothing is said.
  unsigned Rounds = 2 * Blocks.size() + 8;
  for (bool Changed = true; Changed && Rounds; --Rounds) {
    Changed = false;
    for (const BasicBlock *BB : Blocks) {
      State Now = begin(*BB, Before[BB], End);
      run(*BB, Now);
      auto [At, IsNew] = End.insert({BB, Now});
      bool Same = !IsNew && At->second.size() == Now.size() &&
                  all_of(Now, [&Old = At->second](const auto &Known) {
                    auto Found = Old.find(Known.first);
                    return Found != Old.end() && Found->second == Known.second;
                  });
      if (!Same)
        At->second = Now;
      Changed |= !Same;
    }
  }
  for (auto [S, Now] : zip(Suspensions, AtSuspension))
    if (Rounds)
      Now = End[S.Before];
}

/// Says behind \p Base that \p Variable is \p Offset bytes from what that stores.
static void describe(DIBuilder &Builder, const DebugVariable &Variable,
                     DIExpression *Expression, DILocation *Where,
                     StoreInst &Base, unsigned Offset) {
  Builder.insertDbgValueIntrinsic(
      Base.getValueOperand(),
      const_cast<DILocalVariable *>(Variable.getVariable()),
      DIExpression::prepend(Expression, DIExpression::DerefAfter, Offset),
      Where, Base.getNextNode());
}

void DebugValues::emit(
    unsigned S, StoreInst &Base,
    function_ref<std::optional<unsigned>(const Value *)> OffsetOf) const {
  DIBuilder Builder(*Base.getModule(), /*AllowUnresolved=*/false);
  for (const auto &[Variable, Now] : AtSuspension[S]) {
    llvm::Value *V = Now.V;
    DIExpression *Expression = Now.Expression;
    std::optional<unsigned> Offset;
    for (unsigned Steps = 0; V; ++Steps) {
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !is_contained(Blocks, I->getParent()) || (Offset = OffsetOf(I)))
        break;
      SmallVector<uint64_t, 8> Operations;
      SmallVector<llvm::Value *, 2> Others;
      V = Steps == MostOperations
              ? nullptr
              : salvageDebugInfoImpl(*I, 1, Operations, Others);
      if (V && !Others.empty())
        V = nullptr;
      if (V)
        Expression = DIExpression::appendOpsToArg(Expression, Operations, 0,
                                                  /*StackValue=*/true);
    }
    if (Offset)
      describe(Builder, Variable, Expression, Now.Where, Base, *Offset);
    else
      Builder.insertDbgValueIntrinsic(
          V ? V : PoisonValue::get(Base.getValueOperand()->getType()),
          const_cast<DILocalVariable *>(Variable.getVariable()), Expression,
          Now.Where, Base.getNextNode());
  }
}

SmallVector<DebugMemory, 4>
asyncmem::takeMemory(ArrayRef<AllocaInst *> Memory) {
  SmallVector<DebugMemory, 4> Found;
  for (AllocaInst *A : Memory) {
    SmallVector<DbgVariableIntrinsic *, 4> Uses;
    append_range(Uses, findDbgDeclares(A));
    append_range(Uses, at::getAssignmentMarkers(A));
    for (DbgVariableIntrinsic *Use : Uses)
      if (!Use->getExpression()->getFragmentInfo() &&
          none_of(Found, [&](const DebugMemory &M) {
            return M.Variable == Use->getVariable();
          }))
        Found.push_back({A, Use->getVariable(), Use->getDebugLoc()});
  }
  if (!Found.empty())
    for (Instruction &I :
         make_early_inc_range(instructions(Memory.front()->getFunction())))
      if (auto *Use = dyn_cast<DbgVariableIntrinsic>(&I);
          Use && any_of(Found, [&](const DebugMemory &M) {
            return M.Variable == Use->getVariable();
          }))
        Use->eraseFromParent();
  return Found;
}

void asyncmem::describeMemory(const DebugMemory &Of, unsigned Offset,
                              StoreInst &Base) {
  LLVMContext &Context = Base.getContext();
  DIBuilder Builder(*Base.getModule(), /*AllowUnresolved=*/false);
  auto *Empty = DIExpression::get(Context, {});
  describe(Builder, DebugVariable(Of.Variable, Empty, Of.Where->getInlinedAt()),
           Empty, Of.Where, Base, Offset);
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
