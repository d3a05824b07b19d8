// SPDX-License-Identifier: Apache-2.0

#include "transform/Recursion.h"
#include "analysis/Analyses.h"
#include "common/Instructions.h"
#include "common/Machine.h"
#include "common/MemoryVariables.h"
#include "llvm/IR/InstIterator.h"

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
const char *checkPlainCall(const Instruction &I, bool UsesAmu) {
  if (isLock(I) || isUnlock(I))
    return "it takes locks";
  if (I.isAtomic() && UsesAmu)
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
  const bool UsesAmu = Machine(*Group.front()->getParent(), Opts).usesAmu();
  for (Function *F : reachableFrom(*Group.front()))
    for (Instruction &I : instructions(*F))
      if (const char *Why = checkPlainCall(I, UsesAmu))
        return Why;
  if (UsesAmu && mayRunTasks(*Group.front()))
    return "a loop in it has tasks of its own, which must not run at its depth "
           "limit; remove that loop's pragma";
  return nullptr;
}

/// The same bytes of a level are variables of other types in other functions, and
/// in turn those of each activation.
static void forgetTypes(AllocaInst &Variable) {
  SmallSetVector<Instruction *, 16> Uses;
  Uses.insert(&Variable);
  for (unsigned N = 0; N != Uses.size(); ++N) {
    Instruction *I = Uses[N];
    if (I->mayReadOrWriteMemory())
      I->setAAMetadata(AAMDNodes());
    else
      for (User *U : I->users())
        Uses.insert(cast<Instruction>(U));
  }
}

LevelStack::LevelStack(AllocaInst *Level, BasicBlock &Entry)
    : Level(Level), Stack(new AllocaInst(Type::getInt8Ty(Entry.getContext()), 0,
                                         "levels", &Entry)) {}

unsigned LevelStack::addField(unsigned &End, uint64_t Bytes,
                              Align FieldAlignment) {
  assert(!Levels && "the size of a level is fixed");
  Alignment = std::max(Alignment, FieldAlignment);
  unsigned Offset = alignTo(End, FieldAlignment);
  End = Offset + Bytes;
  LevelBytes = std::max(LevelBytes, End);
  return Offset;
}

void LevelStack::moveMemory(ArrayRef<AllocaInst *> Memory) {
  sinkAddresses(Memory);
  const DataLayout &DL = Level->getModule()->getDataLayout();
  unsigned End = 0;
  for (AllocaInst *A : Memory) {
    forgetTypes(*A);
    unsigned Offset =
        addField(End, A->getAllocationSize(DL)->getFixedValue(), A->getAlign());
    for (Use &U : make_early_inc_range(A->uses())) {
      IRBuilder<> B(positionOf(U));
      U.set(place(B, Offset));
    }
    A->eraseFromParent();
  }
}

void LevelStack::setSize(unsigned MaxLevels, unsigned StackBytes) {
  // A level of no bytes would be the first one again.
  LevelBytes = alignTo(std::max(LevelBytes, 1u), Alignment);
  Levels = std::max(1u, std::min(MaxLevels, StackBytes / LevelBytes));
}

Value *LevelStack::place(IRBuilderBase &B, unsigned Offset) const {
  Value *Start =
      B.CreateInBoundsGEP(B.getInt8Ty(), Stack, loadVariable(B, Level));
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, Offset);
}

Value *LevelStack::isFirst(IRBuilderBase &B) const {
  return B.CreateICmpEQ(loadVariable(B, Level), B.getInt64(0));
}

Value *LevelStack::isLast(IRBuilderBase &B) const {
  return B.CreateICmpEQ(loadVariable(B, Level),
                        B.getInt64((Levels - 1) * LevelBytes));
}

void LevelStack::raise(IRBuilderBase &B) const {
  assert(Levels && "setSize comes first");
  B.CreateStore(B.CreateAdd(loadVariable(B, Level), B.getInt64(LevelBytes)),
                Level);
}

void LevelStack::lower(IRBuilderBase &B) const {
  assert(Levels && "setSize comes first");
  B.CreateStore(B.CreateSub(loadVariable(B, Level), B.getInt64(LevelBytes)),
                Level);
}

void LevelStack::allocate(IRBuilderBase &B) {
  assert(Levels && "setSize comes first");
  AllocaInst *Whole = B.CreateAlloca(
      ArrayType::get(B.getInt8Ty(), uint64_t(Levels) * LevelBytes), nullptr,
      "levels");
  Whole->setAlignment(Alignment);
  Stack->replaceAllUsesWith(Whole);
  Stack->eraseFromParent();
  B.CreateStore(B.getInt64(0), Level);
}
