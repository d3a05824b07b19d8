// SPDX-License-Identifier: Apache-2.0

#include "transform/Recursion.h"
#include "analysis/RemotePointers.h"
#include "analysis/CollectAccesses.h"
#include "common/Instructions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns every function that can be reached from \p F by direct calls.
SmallSetVector<Function *, 16> reachableFrom(Function &F) {
  SmallSetVector<Function *, 16> Seen;
  SmallVector<Function *, 16> Work = {&F};
  while (!Work.empty())
    for (Instruction &I : instructions(*Work.pop_back_val())) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Seen.insert(Callee))
        Work.push_back(Callee);
    }
  return Seen;
}

const char *checkSignature(const Function &F) {
  if (F.isInterposable())
    return "another definition may replace it";
  if (F.isVarArg())
    return "it takes a variable number of arguments";
  if (F.callsFunctionThatReturnsTwice())
    return "it calls setjmp or the like";
  for (const Argument &A : F.args())
    if (A.hasPassPointeeByValueCopyAttr() || A.hasSwiftErrorAttr())
      return "it takes a structure by value in memory";
  return nullptr;
}

const char *checkInstruction(const Instruction &I,
                             const RecursiveGroup &Group) {
  if (I.isEHPad() || isa<IndirectBrInst, CallBrInst>(I))
    return "it contains a computed jump or handles exceptions";
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    if (!A->isStaticAlloca())
      return "it allocates stack memory of variable size";
    if (escapingUse(A, /*MayCall=*/false))
      return "the address of a variable of it is used where it cannot follow "
             "the task";
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Group.contains(Call->getCalledFunction()))
    return I.mayThrow() && !I.getFunction()->doesNotThrow() ? "it may throw"
                                                            : nullptr;
  auto *Plain = dyn_cast<CallInst>(Call);
  if (!Plain)
    return "it may throw";
  if (Plain->hasOperandBundles())
    return "a call of it has operands beside its arguments";
  return Plain->isMustTailCall() ? "it must call itself in tail position"
                                 : nullptr;
}

/// At the depth limit the plain function runs between suspensions: it must not
/// wait for another task, nor meet half of an operation of one.
const char *checkPlainCall(const Instruction &I, const Options &Opts) {
  if (isLock(I) || isUnlock(I))
    return "it takes locks";
  if (I.isAtomic() && Opts.usesAmu())
    return "it contains atomic operations, which are not atomic against tasks "
           "of the AMU at its depth limit";
  return nullptr;
}

} // namespace

RecursiveGroup asyncmem::recursiveGroup(Function &F) {
  SmallSetVector<Function *, 16> Reachable = reachableFrom(F);
  RecursiveGroup Group;
  if (!Reachable.contains(&F))
    return Group;
  Group.insert(&F);
  for (Function *Other : Reachable)
    if (!Other->isDeclaration() && reachableFrom(*Other).contains(&F))
      Group.insert(Other);
  return Group;
}

SmallVector<CallBase *, 4> asyncmem::callsInto(const RecursiveGroup &Group,
                                               Function &F) {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (Group.contains(Call->getCalledFunction()))
        Calls.push_back(Call);
  return Calls;
}

const char *asyncmem::checkGroup(const RecursiveGroup &Group,
                                 const Function &Caller, const Options &Opts) {
  if (is_contained(Group, &Caller))
    return "it calls the function of the loop";
  for (Function *F : Group) {
    if (const char *Why = checkSignature(*F))
      return Why;
    for (Instruction &I : instructions(*F))
      if (const char *Why = checkInstruction(I, Group))
        return Why;
  }
  for (Function *F : reachableFrom(*Group.front()))
    for (Instruction &I : instructions(*F))
      if (const char *Why = checkPlainCall(I, Opts))
        return Why;
  if (Opts.usesAmu() && mayRunTasks(*Group.front()))
    return "a loop in it has tasks of its own, which must not run at its depth "
           "limit; remove that loop's pragma";
  return nullptr;
}
