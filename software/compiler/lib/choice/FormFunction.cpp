// SPDX-License-Identifier: Apache-2.0

#include "choice/FormFunction.h"
#include "choice/ChunkedLoop.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

bool FormFunction::limit() {
  std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
  if (!Limit || !State.follow(T, Map))
    return false;
  Function &F = *T.Header->getParent();
  auto NewBlock = [&](const Twine &Name) {
    return BasicBlock::Create(F.getContext(), "adapt." + Name, &F, T.Header);
  };
  Record = State.create(F);
  Entry = NewBlock("form");
  End = NewBlock("form.end");
  new UnreachableInst(F.getContext(), End);
  T.Preheader->getTerminator()->replaceSuccessorWith(T.Header, Entry);
  IRBuilder<> B(Entry);
  // Nothing between entry and exit needs the record: it shall take no register.
  auto *Place = new AllocaInst(B.getPtrTy(), 0, "adapt.record", Record);
  B.CreateStore(Record, Place, /*isVolatile=*/true);
  auto ReadPlace = [&] {
    return B.CreateLoad(B.getPtrTy(), Place, /*isVolatile=*/true);
  };
  DenseMap<PHINode *, Value *> Now;
  for (PHINode *Phi : State.phis()) {
    Now[Phi] = State.load(B, Record, Phi);
    Phi->setIncomingValueForBlock(T.Preheader, Now[Phi]);
    Phi->replaceIncomingBlockWith(T.Preheader, Entry);
  }
  T.Preheader = Entry;
  Value *Budget = State.load(B, Record, LoopState::Budget);
  B.SetInsertPoint(B.CreateBr(T.Header));
  ChunkedLoop Chunks(T, *Limit, B, Budget,
                     [&](PHINode *Phi) { return Now.lookup(Phi); });

  Chunks.splitExits([&](BasicBlock *Exit, Value *Iterations) {
    B.SetInsertPoint(Exit->getTerminator());
    State.store(B, ReadPlace(), LoopState::Iterations, Iterations);
  });
  BasicBlock *Again = NewBlock("again");
  Value *Iterations = Chunks.finish(Again);
  B.SetInsertPoint(Chunks.end()->getTerminator());
  State.store(B, ReadPlace(), LoopState::Iterations, Iterations);
  B.SetInsertPoint(Again);
  Value *Out = ReadPlace();
  State.store(B, Out, LoopState::Exit, B.getInt64(0));
  for (PHINode *Phi : State.phis())
    State.store(B, Out, Phi, Chunks.after(Phi));
  B.CreateBr(End);
  for (auto [Index, Exit] : enumerate(State.exits())) {
    SplitBlock(Exit, Exit->getFirstNonPHI());
    ReplaceInstWithInst(Exit->getTerminator(), BranchInst::Create(End));
    B.SetInsertPoint(Exit->getTerminator());
    Value *Last = ReadPlace();
    State.store(B, Last, LoopState::Exit, B.getInt64(Index + 1));
    for (PHINode &Phi : Exit->phis())
      State.store(B, Last, &Phi, &Phi);
  }
  return true;
}

SmallSetVector<BasicBlock *, 32> FormFunction::region() const {
  SmallSetVector<BasicBlock *, 32> Found;
  Found.insert(Entry);
  for (unsigned I = 0; I < Found.size(); ++I)
    for (BasicBlock *Next : successors(Found[I]))
      Found.insert(Next);
  return Found;
}

/// \returns true if \p I means something else in another function.
static bool needsItsFunction(const Instruction &I) {
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

/// What the optimizer found out about the whole function, or was told about it.
constexpr Attribute::AttrKind OfWholeFunction[] = {
    Attribute::Memory,    Attribute::AlwaysInline, Attribute::InlineHint,
    Attribute::AllocKind, Attribute::AllocSize,    Attribute::Speculatable,
    Attribute::NoReturn};

/// \returns a function like \p F that takes \p Inputs and returns nothing.
static Function *functionLike(Function &F, ArrayRef<Value *> Inputs) {
  SmallVector<Type *, 8> Types;
  for (Value *V : Inputs)
    Types.push_back(V->getType());
  Function *New = Function::Create(
      FunctionType::get(Type::getVoidTy(F.getContext()), Types, false),
      GlobalValue::InternalLinkage, F.getAddressSpace(), "", F.getParent());
  AttrBuilder Attributes(F.getContext(), F.getAttributes().getFnAttrs());
  for (Attribute::AttrKind Kind : OfWholeFunction)
    Attributes.removeAttribute(Kind);
  Attributes.addAttribute(Attribute::NoInline);
  New->addFnAttrs(Attributes);
  New->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
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

Function *FormFunction::extract() {
  Function &F = *Entry->getParent();
  const SmallSetVector<BasicBlock *, 32> Region = region();
  DenseMap<const Value *, Value *> Originals;
  for (auto [Old, New] : Map)
    if (New)
      Originals[New] = const_cast<Value *>(Old);
  // Frames are variables of the new function.
  for (Instruction &I : make_early_inc_range(F.getEntryBlock()))
    if (isa<AllocaInst>(I) && &I != Record && !Originals.count(&I))
      I.moveBefore(&Entry->front());

  SetVector<Value *> Used;
  for (BasicBlock *BB : Region)
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto IsInput = [&](const Value *V) {
        auto *Outside = dyn_cast<Instruction>(V);
        return isa<Argument>(V) ||
               (Outside && !Region.contains(
                               const_cast<BasicBlock *>(Outside->getParent())));
      };
      if (auto *Debug = dyn_cast<DbgVariableIntrinsic>(&I)) {
        if (any_of(Debug->location_ops(), IsInput))
          Debug->eraseFromParent();
        continue;
      }
      if (needsItsFunction(I) && BB != End)
        return nullptr;
      for (Value *V : I.operands())
        if (IsInput(V))
          Used.insert(V);
    }
  for (Value *V : Used) {
    Inputs.push_back(V == Record ? nullptr : Originals.lookup(V));
    if (V != Record && !Inputs.back())
      return nullptr;
  }

  Function *Code = functionLike(F, Used.getArrayRef());
  for (auto [Input, Argument] : zip(Used, Code->args())) {
    Argument.setName(Input->getName());
    Input->replaceUsesWithIf(&Argument, [&](const Use &U) {
      return Region.contains(cast<Instruction>(U.getUser())->getParent());
    });
  }
  // What is left behind, the preheader and dead blocks, goes with the copy.
  SmallSetVector<BasicBlock *, 4> LeftBehind;
  for (BasicBlock *BB : Region)
    for (BasicBlock *Before : predecessors(BB))
      if (!Region.contains(Before))
        LeftBehind.insert(Before);
  for (BasicBlock *Before : LeftBehind) {
    for (BasicBlock *Next : successors(Before))
      Next->removePredecessor(Before, /*KeepOneInputPHIs=*/true);
    ReplaceInstWithInst(Before->getTerminator(),
                        new UnreachableInst(F.getContext()));
  }
  ReplaceInstWithInst(End->getTerminator(), ReturnInst::Create(F.getContext()));
  for (BasicBlock *BB : Region)
    moveBlock(*BB, *Code);
  return Code;
}

SmallVector<Value *, 8> FormFunction::arguments(Value *OwnRecord) const {
  SmallVector<Value *, 8> Arguments;
  for (Value *Input : Inputs)
    Arguments.push_back(Input ? Input : OwnRecord);
  return Arguments;
}
