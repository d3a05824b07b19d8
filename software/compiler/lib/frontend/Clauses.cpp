// SPDX-License-Identifier: Apache-2.0
// What the clauses of a pragma say about variables, carried out before any
// optimisation, while a variable is still an object with loads and stores.
//
// Algorithm: a private variable gets a copy whose life starts in each iteration. Of a shared
// one, simple updates by a commutative operation may be regrouped, and become values; all
// other accesses are kept in place as volatile ones, named by metadata, until the loop has
// been prepared, and are SSA values again where they can be once there are tasks.
//
//   shared_var(m): if (m < x[i]) m = x[i];   ->   load volatile m !inplace; ...

#include "frontend/Clauses.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "common/Names.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

namespace {

SmallVector<Instruction *, 8> usersIn(const Loop &L, Value *Variable) {
  SmallVector<Instruction *, 8> Result;
  for (User *U : Variable->users())
    if (auto *I = dyn_cast<Instruction>(U); I && L.contains(I))
      Result.push_back(I);
  return Result;
}

bool isPlainAccess(const Instruction *I, const Value *Variable) {
  return getLoadStorePointerOperand(I) == Variable && !I->isVolatile();
}

void setVolatile(Instruction &Access, bool Volatile) {
  if (auto *Load = dyn_cast<LoadInst>(&Access))
    Load->setVolatile(Volatile);
  else
    cast<StoreInst>(Access).setVolatile(Volatile);
}

/// \returns the operation if \p Load is read only to be updated by it and
/// stored back at once.
BinaryOperator *updateOf(LoadInst &Load) {
  auto *Update =
      Load.hasOneUse() ? dyn_cast<BinaryOperator>(*Load.user_begin()) : nullptr;
  auto *Store = Update && Update->hasOneUse()
                    ? dyn_cast<StoreInst>(*Update->user_begin())
                    : nullptr;
  return Store && Store->getPointerOperand() == Load.getPointerOperand()
             ? Update
             : nullptr;
}

/// \returns the pragmas that keep what \p I reads or writes in place, null if there
/// are none.
MDNode *pragmasOf(const Instruction &I) {
  const Value *Variable = getLoadStorePointerOperand(&I);
  if (auto *Local = dyn_cast_or_null<AllocaInst>(Variable))
    return Local->getMetadata(InPlaceTag);
  auto *Global = dyn_cast_or_null<GlobalVariable>(Variable);
  return Global ? Global->getMetadata(InPlaceTag) : nullptr;
}

/// Adds the pragma \p Id to those that keep \p Variable in place.
template <class VariableType>
void addPragma(VariableType &Variable, unsigned Id) {
  LLVMContext &Context = Variable.getContext();
  MDNode *Added = MDNode::get(Context, ConstantAsMetadata::get(ConstantInt::get(
                                           Type::getInt32Ty(Context), Id)));
  Variable.setMetadata(
      InPlaceTag, MDNode::concatenate(Variable.getMetadata(InPlaceTag), Added));
}

/// Updates of \p Variable in \p L may come in any order. Commutative ones are
/// found again as values; what else the loop does with the variable stays where
/// it is: no access moves, so that reading and writing it is one step of a task.
void share(Value *Variable, unsigned Id, Loop &L) {
  if (!isa<AllocaInst, GlobalVariable>(Variable))
    return;
  SmallVector<Instruction *, 8> Uses = usersIn(L, Variable);
  bool Simple = true;
  for (Instruction *I : Uses) {
    if (!isPlainAccess(I, Variable))
      return;
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load)
      continue;
    BinaryOperator *Update = updateOf(*Load);
    if (Update && isa<FPMathOperator>(Update)) {
      Update->setHasAllowReassoc(true);
      Update->setHasNoSignedZeros(true);
    }
    Simple &= Update && commutativeOpcode(*Update, Load);
  }
  auto Reads = [](Instruction *I) { return isa<LoadInst>(I); };
  if (Simple && any_of(Uses, Reads))
    return;
  // Reads behind the loop, too: else the last value would be carried to them.
  Function *F = L.getHeader()->getParent();
  for (User *U : Variable->users())
    if (auto *I = dyn_cast<Instruction>(U); I && I->getFunction() == F)
      if (isPlainAccess(I, Variable) && (isa<LoadInst>(I) || L.contains(I)))
        setVolatile(*I, true);
  if (auto *Local = dyn_cast<AllocaInst>(Variable))
    addPragma(*Local, Id);
  else
    addPragma(*cast<GlobalVariable>(Variable), Id);
}

/// Gives every iteration of \p L its own copy of \p Old.
AllocaInst *makePrivate(AllocaInst *Old, Loop &L) {
  auto *New = cast<AllocaInst>(Old->clone());
  // It ties the old variable's debug records to one alloca only.
  New->setMetadata(LLVMContext::MD_DIAssignID, nullptr);
  New->insertAfter(Old);
  Old->replaceUsesWithIf(
      New, [&](Use &U) { return L.contains(cast<Instruction>(U.getUser())); });
  return New;
}

/// \returns true if \p To runs behind \p From in some iteration of \p L.
bool mayFollow(const BasicBlock *From, const BasicBlock *To, const Loop &L) {
  return From == To || iterationBehind(From, L).contains(To);
}

/// Hands the copy \p New of the last iteration back to \p Old: wherever an
/// iteration ends, it must have assigned the copy or not touched it.
const char *handBack(AllocaInst *New, AllocaInst *Old, Loop &L,
                     const DominatorTree &DT) {
  SmallVector<StoreInst *, 4> Stores;
  for (Instruction *I : usersIn(L, New)) {
    if (!isPlainAccess(I, New))
      return "lastprivate() names an array, a structure or a variable whose "
             "address is taken; name a variable that gets its value in the "
             "loop";
    if (auto *Store = dyn_cast<StoreInst>(I))
      Stores.push_back(Store);
  }
  auto Copy = [&](Instruction *Before) {
    IRBuilder<> B(Before);
    B.CreateStore(B.CreateLoad(New->getAllocatedType(), New), Old);
  };
  BasicBlock *Latch = L.getLoopLatch();
  SmallVector<Loop::Edge, 4> Ends;
  L.getExitEdges(Ends);
  Ends.push_back({Latch, L.getHeader()});
  for (auto [From, To] : Ends) {
    auto *End = const_cast<BasicBlock *>(From);
    if (none_of(Stores, [&](StoreInst *S) {
          return mayFollow(S->getParent(), End, L);
        }))
      continue;
    if (none_of(Stores, [&](StoreInst *S) {
          return DT.dominates(S, End->getTerminator());
        }))
      return "a lastprivate() variable is not assigned on every path through "
             "an iteration; assign it on every path";
    if (To == L.getHeader())
      Copy(End->getTerminator());
    else if (End != Latch)
      Copy(SplitEdge(End, const_cast<BasicBlock *>(To))->getTerminator());
  }
  return nullptr;
}

/// Lets the second phase know that updates through \p Variable, by any value it
/// takes in \p L, need no protection.
const char *promise(unsigned Kind, Value *Variable, Loop &L) {
  Type *Ty = nullptr;
  if (auto *Local = dyn_cast<AllocaInst>(Variable))
    Ty = Local->getAllocatedType();
  else if (auto *Global = dyn_cast<GlobalVariable>(Variable))
    Ty = Global->getValueType();
  if (!Ty)
    return "lossy_update() or distinct_update() names something that is not a "
           "variable; copy it to one";
  SmallVector<StoreInst *, 4> Stores;
  for (Instruction *I : usersIn(L, Variable))
    if (auto *Store = dyn_cast<StoreInst>(I);
        Store && Store->getPointerOperand() == Variable)
      Stores.push_back(Store);
  IRBuilder<> B(&*startOfBody(L)->getFirstInsertionPt());
  callFunction(B, PromisedFunction,
               {Ty->isPointerTy() ? B.CreateLoad(Ty, Variable) : Variable,
                B.getInt32(Kind)});
  for (StoreInst *Store : Stores)
    if (Store->getValueOperand()->getType()->isPointerTy()) {
      B.SetInsertPoint(Store->getNextNode());
      callFunction(B, PromisedFunction,
                   {Store->getValueOperand(), B.getInt32(Kind)});
    }
  return nullptr;
}

} // namespace

BasicBlock *asyncmem::startOfBody(const Loop &L) {
  BasicBlock *Start = L.getHeader();
  if (L.isLoopExiting(Start))
    for (BasicBlock *Next : successors(L.getHeader()))
      if (L.contains(Next) && Next->getSinglePredecessor())
        Start = Next;
  return Start;
}

Instruction *asyncmem::startLife(AllocaInst *Variable, AllocaInst *Initial,
                                 Loop &L) {
  BasicBlock *Start = startOfBody(L);
  if (any_of(Variable->users(), [&](User *U) {
        return cast<Instruction>(U)->getParent() == L.getHeader();
      }))
    Start = L.getHeader();
  IRBuilder<> B(&*Start->getFirstInsertionPt());
  Instruction *Life = B.CreateLifetimeStart(Variable);
  if (Initial)
    B.CreateMemCpy(
        Variable, Variable->getAlign(), Initial, Initial->getAlign(),
        Variable->getAllocationSize(Variable->getModule()->getDataLayout())
            ->getFixedValue());
  return Life;
}

const char *asyncmem::applyClause(unsigned Kind, Value *Variable, unsigned Id,
                                  Loop &L, const DominatorTree &DT) {
  if (Kind == SharedVar || Kind == ReductionVar) {
    share(Variable, Id, L);
    return nullptr;
  }
  if (Kind == LossyUpdate || Kind == DistinctUpdate)
    return promise(Kind, Variable, L);
  auto *Old = dyn_cast<AllocaInst>(Variable);
  if (!Old || !isa<ConstantInt>(Old->getArraySize()))
    return "private(), firstprivate() or lastprivate() names something that is "
           "not a local variable of fixed size; copy it to one";
  if (isReachedFromOutside(*Old, L))
    return "private(), firstprivate() or lastprivate() names a variable that "
           "the loop reaches by an address from before it; take the address in "
           "the loop";
  AllocaInst *New = makePrivate(Old, L);
  if (Kind == LastPrivateVar)
    if (const char *Why = handBack(New, Old, L, DT))
      return Why;
  startLife(New, Kind == FirstPrivateVar ? Old : nullptr, L);
  return nullptr;
}

bool asyncmem::separateVariables(Function &F) {
  SmallVector<Value *, 4> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (isa<AllocaInst>(I) && I.hasMetadata(InPlaceTag))
      Variables.push_back(&I);
  for (GlobalVariable &Global : F.getParent()->globals())
    if (Global.hasMetadata(InPlaceTag))
      Variables.push_back(&Global);
  bool Changed = false;
  for (Value *Variable : Variables)
    Changed |= separateAccesses(*Variable, F);
  return Changed;
}

void asyncmem::releaseVariables(Loop &L, unsigned Id) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (MDNode *Pragmas = pragmasOf(I)) {
        setVolatile(I, false);
        if (any_of(Pragmas->operands(), [&](const MDOperand &Of) {
              return mdconst::extract<ConstantInt>(Of)->equalsInt(Id);
            }))
          I.setMetadata(InPlaceTag, MDNode::get(I.getContext(), {}));
      }
}

void asyncmem::promoteVariables(Function &F, FunctionAnalysisManager &FAM) {
  for (Instruction &I : instructions(F))
    if (pragmasOf(I))
      setVolatile(I, false);
  SmallVector<AllocaInst *, 4> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (A->hasMetadata(InPlaceTag) && isAllocaPromotable(A))
        Variables.push_back(A);
  if (Variables.empty())
    return;
  PromoteMemToReg(Variables, FAM.getResult<DominatorTreeAnalysis>(F));
  FAM.invalidate(F, PreservedAnalyses::none());
}
