// SPDX-License-Identifier: Apache-2.0

#include "choice/Outline.h"
#include "common/BlockWalk.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

Function &asyncmem::copyOf(Function &F, ValueToValueMapTy &Map) {
  Function *Copy = CloneFunction(&F, Map);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  return *Copy;
}

DebugLoc asyncmem::placeOfCall(const BasicBlock &Header) {
  DebugLoc Where = Header.getTerminator()->getDebugLoc();
  DISubprogram *Function = Header.getParent()->getSubprogram();
  if (Where || !Function)
    return Where;
  return DILocation::get(Header.getContext(), 0, 0, Function);
}

bool asyncmem::needsItsFunction(const Instruction &I) {
  if (I.isEHPad() || isa<ReturnInst, ResumeInst>(I))
    return true;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::vastart:
  case Intrinsic::vaend:
  case Intrinsic::vacopy:
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::sponentry:
  case Intrinsic::localescape:
  case Intrinsic::localrecover:
    return true;
  default:
    return false;
  }
}

/// \returns the blocks that can be reached from \p Entry, in their order.
static SmallVector<BasicBlock *, 32> reachableFrom(BasicBlock *Entry) {
  const BlockSet<BasicBlock> Found =
      blocksBehind(Entry, [](BasicBlock *, BasicBlock *) { return true; });
  SmallVector<BasicBlock *, 32> Ordered = {Entry};
  for (BasicBlock &BB : *Entry->getParent())
    if (&BB != Entry && Found.contains(&BB))
      Ordered.push_back(&BB);
  return Ordered;
}

/// What the optimizer found out about the whole function, or was told about it.
static constexpr Attribute::AttrKind OfWholeFunction[] = {
    Attribute::Memory,    Attribute::AlwaysInline, Attribute::InlineHint,
    Attribute::AllocKind, Attribute::AllocSize,    Attribute::Speculatable,
    Attribute::NoReturn};

void asyncmem::stayApart(Function &Code) {
  for (Attribute::AttrKind Kind : OfWholeFunction)
    Code.removeFnAttr(Kind);
  Code.addFnAttr(Attribute::NoInline);
  Code.setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
}

/// \returns a function like \p F that takes \p Inputs and returns a \p Result.
static Function *functionLike(Function &F, ArrayRef<Value *> Inputs,
                              Type *Result) {
  SmallVector<Type *, 8> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  Function *New = Function::Create(FunctionType::get(Result, Types, false),
                                   GlobalValue::InternalLinkage,
                                   F.getAddressSpace(), "", F.getParent());
  // As RISC-V keeps them in registers.
  for (Argument &A : New->args())
    if (A.getType()->isIntegerTy(32))
      A.addAttr(Attribute::SExt);
  if (Result->isIntegerTy(32))
    New->addRetAttr(Attribute::SExt);
  New->addFnAttrs(AttrBuilder(F.getContext(), F.getAttributes().getFnAttrs()));
  stayApart(*New);
  New->setSubprogram(F.getSubprogram());
  F.setSubprogram(nullptr);
  return New;
}

/// Moves \p BB with its address.
static void moveBlock(BasicBlock &BB, Function &To) {
  BlockAddress *Old = BlockAddress::lookup(&BB);
  To.splice(To.end(), BB.getParent(), BB.getIterator());
  if (!Old)
    return;
  Old->replaceAllUsesWith(BlockAddress::get(&To, &BB));
  Old->destroyConstant();
}

/// What passes have put in front of the part, as in front of a loop around it, is
/// computed in it. \returns null if that may be another value.
Value *Outline::computeInside(Instruction &I) {
  if (isa<PHINode, AllocaInst>(I) || I.mayReadOrWriteMemory() ||
      I.isTerminator())
    return nullptr;
  Instruction *Twin = I.clone();
  Twin->insertBefore(&*Entry->getFirstInsertionPt());
  Twin->setName(I.getName());
  for (Use &U : Twin->operands()) {
    auto *Operand = dyn_cast<Instruction>(U);
    if (!Operand || Operand == Record || Originals.count(Operand))
      continue;
    Value *Inside = computeInside(*Operand);
    if (!Inside)
      return nullptr;
    cast<Instruction>(Inside)->moveBefore(Twin);
    U.set(Inside);
  }
  return Twin;
}

/// Where passes have found a value of the part and one from in front of it to be the
/// same, two originals lead to the copy. That from in front is the one to use.
void Outline::findOriginals(const Blocks &Inside) {
  for (auto [Old, New] : Map) {
    if (!New)
      continue;
    if (auto *I = dyn_cast<Instruction>(Old)) {
      Value *Block = Map.lookup(I->getParent());
      if (!Block || Inside.contains(cast<BasicBlock>(Block)))
        continue;
    }
    Originals[New] = const_cast<Value *>(Old);
  }
}

bool Outline::findInputs(ArrayRef<BasicBlock *> Region, const Blocks &Inside,
                         SetVector<Value *> &Used) {
  auto IsInput = [&](const Value *V) {
    auto *Outside = dyn_cast<Instruction>(V);
    return isa<Argument>(V) ||
           (Outside && !Inside.contains(Outside->getParent()));
  };
  MapVector<Instruction *, SmallVector<Use *, 4>> Unknown;
  for (BasicBlock *BB : Region)
    for (Instruction &I : make_early_inc_range(*BB)) {
      if (auto *Debug = dyn_cast<DbgVariableIntrinsic>(&I)) {
        if (any_of(Debug->location_ops(), IsInput))
          Debug->eraseFromParent();
        continue;
      }
      if (needsItsFunction(I) && BB != End)
        return false;
      for (Use &U : I.operands())
        if (IsInput(U) && U != Record && !Originals.count(U))
          Unknown[cast<Instruction>(U)].push_back(&U);
    }
  for (auto &[I, Uses] : Unknown) {
    Value *Twin = computeInside(*I);
    if (!Twin)
      return false;
    for (Use *U : Uses)
      U->set(Twin);
  }
  for (BasicBlock *BB : Region)
    for (Instruction &I : *BB)
      for (Value *V : I.operands())
        if (IsInput(V))
          Used.insert(V);
  return true;
}

/// \returns \p A and its places that passes have put in front of the part, if it lives in
/// one iteration of a loop there, no longer; else nothing.
static SmallVector<Instruction *, 4>
variableOfIteration(Instruction &A,
                    const SmallPtrSetImpl<const BasicBlock *> &Inside) {
  SmallVector<Instruction *, 4> Found = {&A};
  bool Starts = false;
  for (unsigned N = 0; N != Found.size(); ++N)
    for (User *U : Found[N]->users()) {
      auto *I = cast<Instruction>(U);
      auto *Call = dyn_cast<IntrinsicInst>(I);
      auto *Place = dyn_cast<GetElementPtrInst>(I);
      Starts |= Call && Call->getIntrinsicID() == Intrinsic::lifetime_start;
      if (Inside.contains(I->getParent()))
        continue;
      if (!Place || !Place->hasAllConstantIndices())
        return {};
      Found.push_back(Place);
    }
  return Starts ? Found : SmallVector<Instruction *, 4>();
}

/// The variable lives as long as its function: another one uses it, too.
static void removeLifeMarks(Value &Variable) {
  for (User *U : make_early_inc_range(Variable.users()))
    if (cast<Instruction>(U)->isLifetimeStartOrEnd())
      cast<Instruction>(U)->eraseFromParent();
}

Function *Outline::extract(Value *Result) {
  Function &F = *Entry->getParent();
  const SmallVector<BasicBlock *, 32> Region = reachableFrom(Entry);
  const SmallPtrSet<const BasicBlock *, 32> Inside(Region.begin(),
                                                   Region.end());
  findOriginals(Inside);
  // Frames are variables of the new function, and so is what an iteration has for
  // itself.
  Instruction *First = &Entry->front();
  SmallVector<Instruction *, 8> Variables, Own;
  for (Instruction &I : F.getEntryBlock())
    if (isa<AllocaInst>(I) && &I != Record)
      Variables.push_back(&I);
  for (Instruction *Variable : Variables)
    if (Originals.count(Variable))
      append_range(Own, variableOfIteration(*Variable, Inside));
    else
      Own.push_back(Variable);
  for (Instruction *I : Own)
    I->moveBefore(First);
  SetVector<Value *> Used;
  if (!findInputs(Region, Inside, Used))
    return nullptr;
  for (Value *V : Used) {
    Inputs.push_back(V == Record ? nullptr : Originals.lookup(V));
    for (Value *Variable : {V, Inputs.back()})
      if (isa_and_nonnull<AllocaInst>(Variable))
        removeLifeMarks(*Variable);
  }

  Function *Code = functionLike(F, Used.getArrayRef(),
                                Result ? Result->getType()
                                       : Type::getVoidTy(F.getContext()));
  for (auto [Input, Argument] : zip(Used, Code->args())) {
    Argument.setName(Input->getName());
    Input->replaceUsesWithIf(&Argument, [&](const Use &U) {
      return Inside.contains(cast<Instruction>(U.getUser())->getParent());
    });
  }
  // What is left behind, the preheader and dead blocks, goes with the copy.
  SmallSetVector<BasicBlock *, 4> LeftBehind;
  for (BasicBlock *BB : Region)
    for (BasicBlock *Before : predecessors(BB))
      if (!Inside.contains(Before))
        LeftBehind.insert(Before);
  for (BasicBlock *Before : LeftBehind) {
    for (BasicBlock *Next : successors(Before))
      Next->removePredecessor(Before, /*KeepOneInputPHIs=*/true);
    ReplaceInstWithInst(Before->getTerminator(),
                        new UnreachableInst(F.getContext()));
  }
  ReplaceInstWithInst(End->getTerminator(),
                      ReturnInst::Create(F.getContext(), Result));
  for (BasicBlock *BB : Region)
    moveBlock(*BB, *Code);
  return Code;
}

SmallVector<Value *, 8> Outline::arguments(AllocaInst *OwnRecord) const {
  SmallVector<Value *, 8> Arguments;
  for (Value *Input : Inputs)
    Arguments.push_back(Input ? Input : OwnRecord);
  return Arguments;
}

/// \returns true if nothing needs the address of \p A.
static bool isRegister(const AllocaInst *A) {
  return A->getAllocatedType()->isSingleValueType() &&
         all_of(A->users(), [&](const User *U) {
           auto *Load = dyn_cast<LoadInst>(U);
           auto *Store = dyn_cast<StoreInst>(U);
           return cast<Instruction>(U)->isLifetimeStartOrEnd() ||
                  (Load && Load->getType() == A->getAllocatedType()) ||
                  (Store && Store->getPointerOperand() == A &&
                   Store->getValueOperand()->getType() ==
                       A->getAllocatedType());
         });
}

void asyncmem::keepInRegisters(Function &Code, ArrayRef<Value *> Arguments,
                               BasicBlock &End) {
  SmallVector<AllocaInst *, 4> Registers;
  for (auto [V, Argument] : zip(Arguments, Code.args())) {
    auto *Variable = dyn_cast<AllocaInst>(V);
    if (!Variable || !isRegister(Variable))
      continue;
    Type *Ty = Variable->getAllocatedType();
    IRBuilder<> B(&*Code.getEntryBlock().getFirstInsertionPt());
    AllocaInst *Own = B.CreateAlloca(Ty, nullptr, Variable->getName());
    Argument.replaceAllUsesWith(Own);
    B.CreateStore(B.CreateLoad(Ty, &Argument), Own);
    B.SetInsertPoint(End.getTerminator());
    B.CreateStore(B.CreateLoad(Ty, Own), &Argument);
    Registers.push_back(Own);
  }
  llvm::erase_if(Registers,
                 [](AllocaInst *Own) { return !isAllocaPromotable(Own); });
  DominatorTree DT(Code);
  PromoteMemToReg(Registers, DT);
}

VariableCopies::VariableCopies(
    MutableArrayRef<SmallVector<Value *, 8>> Arguments, AllocaInst *Record) {
  for (SmallVector<Value *, 8> &Values : Arguments)
    for (Value *&V : Values) {
      auto *Variable = dyn_cast<AllocaInst>(V);
      if (!Variable || Variable == Record || !isRegister(Variable))
        continue;
      AllocaInst *&Copy = Copies[Variable];
      if (!Copy)
        Copy = new AllocaInst(Variable->getAllocatedType(), 0, "adapt.copy",
                              Record);
      V = Copy;
    }
}

void VariableCopies::fill(IRBuilderBase &B) const {
  for (auto [Variable, Copy] : Copies)
    B.CreateStore(B.CreateLoad(Variable->getAllocatedType(), Variable), Copy);
}

void VariableCopies::readBack(IRBuilderBase &B) const {
  for (auto [Variable, Copy] : Copies)
    B.CreateStore(B.CreateLoad(Variable->getAllocatedType(), Copy), Variable);
}
