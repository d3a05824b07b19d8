// SPDX-License-Identifier: Apache-2.0

#include "choice/FirstRuns.h"
#include "choice/Outline.h"
#include "choice/OutsideValues.h"
#include "choice/PolicyCode.h"
#include "common/BlockCopies.h"
#include "common/Target.h"
#include "schedule/Variables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace asyncmem;

/// Lines of code of most of these functions, until a piece has ended.
static constexpr unsigned CodeLines = 8;

/// Those behind the call, where the loop itself usually lies, for the runs behind the
/// first one. (Taking its address would keep it from being unrolled.)
static constexpr unsigned HeldLines = 3;

bool FirstRuns::canTime(TaskLoop &T) {
  std::unique_ptr<IterationLimit> Limit = IterationLimit::create(T);
  return T.Exits.size() == 1 && Limit && !Limit->addsBranch();
}

FirstRuns::FirstRuns(TaskLoop &T, GlobalVariable *Loop, BasicBlock *Held,
                     BasicBlock *First, BasicBlock *Apart)
    : T(T), F(*T.Header->getParent()), Limit(IterationLimit::create(T)),
      First(First) {
  copyFor(Held);
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  Cycles = B.CreateAlloca(B.getInt64Ty(), nullptr, "adapt.cycles");
  Instructions = B.CreateAlloca(B.getInt64Ty(), nullptr, "adapt.instructions");
  const PolicyCode Policy = policyCode(*F.getParent());
  auto Call = [&](Function *Entry, ArrayRef<Value *> Iterations) {
    SmallVector<Value *, 6> Arguments = {Loop, Cycles, Instructions};
    Arguments.append(Iterations.begin(), Iterations.end());
    Calls.push_back(B.CreateCall(Entry, Arguments));
    return Calls.back();
  };
  auto *Piece = BasicBlock::Create(F.getContext(), "adapt.piece", &F, T.Header);
  auto GoOn = [&](Value *Budget) {
    B.CreateCondBr(B.CreateIsNotNull(Budget), Piece, Apart,
                   MDBuilder(F.getContext()).createBranchWeights(2000, 1));
  };
  B.SetInsertPoint(First->getTerminator());
  Value *Given = Call(Policy.First, {});
  GoOn(Given);
  First->getTerminator()->eraseFromParent();

  B.SetInsertPoint(Piece);
  auto AddNow = [&](Value *AtFirst) {
    PHINode *Phi = B.CreatePHI(AtFirst->getType(), 2);
    Phi->addIncoming(AtFirst, First);
    return Phi;
  };
  SmallDenseMap<PHINode *, PHINode *> Now;
  for (PHINode &Phi : T.Header->phis()) {
    Now[&Phi] = AddNow(Phi.getIncomingValueForBlock(First));
    Phi.setIncomingValueForBlock(First, Now[&Phi]);
    Phi.replaceIncomingBlockWith(First, Piece);
  }
  PHINode *Budget = AddNow(Given), *Before = AddNow(B.getInt64(0));
  B.SetInsertPoint(B.CreateBr(T.Header));
  T.Preheader = Piece;
  Chunks.emplace(T, *Limit, B, Budget,
                 [&](PHINode *Phi) { return Now.lookup(Phi); });
  readyForPlain(B, T.Blocks, Now.size());

  Over = BasicBlock::Create(F.getContext(), "adapt.over", &F, Apart);
  Value *Iterations = Chunks->finish(Over);
  hideReached();
  auto *More = cast<BranchInst>(Chunks->end()->getTerminator());
  B.SetInsertPoint(More);
  Value *IsLast =
      B.CreateZExt(B.CreateNot(More->getCondition()), B.getInt32Ty());
  Done = B.CreateAdd(Before, Iterations);
  Value *Next = Call(Policy.FirstNext, {Before, Iterations, IsLast});
  // What the policy leaves in them would hold physical registers in the runs behind it.
  IRBuilder<> AtLast(Limit->lastExit()->getTerminator());
  Target(*F.getParent()).clearDeadRegisters(AtLast);
  B.SetInsertPoint(Over);
  GoOn(Next);
  for (auto [Phi, Value] : Now)
    Value->addIncoming(after(Phi), Over);
  Budget->addIncoming(Next, Over);
  Before->addIncoming(Done, Over);
}

/// What is computed of the values behind a piece shall be no reason for variables of the
/// loop: strength reduction would count for it in each iteration.
void FirstRuns::hideReached() {
  BasicBlock *End = Chunks->end();
  IRBuilder<> B(End, End->getFirstInsertionPt());
  for (PHINode &Phi : T.Header->phis()) {
    PHINode *Reached = Chunks->after(&Phi);
    After[&Phi] = Reached;
    if (Reached->use_empty() || !Reached->getType()->isIntOrPtrTy())
      continue;
    Value *Hidden = keepInRegister(B, Reached);
    Reached->replaceUsesWithIf(
        Hidden, [&](const Use &U) { return U.getUser() != Hidden; });
    After[&Phi] = Hidden;
  }
}

/// The copy is what the program has.
void FirstRuns::copyFor(BasicBlock *Held) {
  ValueToValueMapTy Map;
  copyBlocks(T.Blocks, Map, "held");
  joinBehindCopies(T.Blocks, Map);
  auto *Start = cast<BasicBlock>(Map.lookup(T.Header));
  Held->getTerminator()->replaceSuccessorWith(T.Header, Start);
  for (PHINode &Phi : Start->phis())
    Phi.removeIncomingValue(First);
  for (PHINode &Phi : T.Header->phis())
    Phi.removeIncomingValue(Held);
}

/// \returns \p Code, which leaves a value behind in a place that its last argument says, as
/// a function that returns it: its caller needs no stack then.
static Function *returnOutput(Function &Code) {
  auto *Call = cast<CallInst>(Code.user_back());
  auto *Place = cast<AllocaInst>(*std::prev(Call->arg_end()));
  Type *Ty = Place->getAllocatedType();
  SmallVector<Type *, 8> Types(Code.getFunctionType()->params().drop_back());
  Function *New =
      Function::Create(FunctionType::get(Ty, Types, false), Code.getLinkage(),
                       Code.getAddressSpace(), "", Code.getParent());
  New->copyAttributesFrom(&Code);
  New->setAttributes(AttributeList::get(Code.getContext(),
                                        Code.getAttributes().getFnAttrs(),
                                        AttributeSet(), {}));
  New->setSubprogram(Code.getSubprogram());
  New->splice(New->begin(), &Code);
  for (auto [Old, Argument] : zip(Code.args(), New->args()))
    Old.replaceAllUsesWith(&Argument);
  IRBuilder<> B(&*New->getEntryBlock().getFirstInsertionPt());
  AllocaInst *Own = B.CreateAlloca(Ty);
  std::prev(Code.arg_end())->replaceAllUsesWith(Own);
  for (BasicBlock &BB : *New)
    if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator())) {
      B.SetInsertPoint(Return);
      B.CreateRet(B.CreateLoad(Ty, Own));
      Return->eraseFromParent();
    }
  DominatorTree DT(*New);
  PromoteMemToReg(Own, DT);

  B.SetInsertPoint(Call);
  SmallVector<Value *, 8> Arguments(drop_end(Call->args()));
  CallInst *Result = B.CreateCall(New, Arguments);
  Result->setDebugLoc(Call->getDebugLoc());
  Call->eraseFromParent();
  for (User *U : make_early_inc_range(Place->users())) {
    if (isa<LoadInst>(U))
      U->replaceAllUsesWith(Result);
    cast<Instruction>(U)->eraseFromParent();
  }
  Place->eraseFromParent();
  Code.eraseFromParent();
  return New;
}

/// \returns what First leads to, up to where the loop has ended.
SmallSetVector<BasicBlock *, 32> FirstRuns::region() const {
  const BasicBlock *Exit = Limit->lastExit()->getSingleSuccessor();
  SmallSetVector<BasicBlock *, 32> Blocks;
  Blocks.insert(First);
  for (unsigned I = 0; I < Blocks.size(); ++I)
    for (BasicBlock *Next : successors(Blocks[I]))
      if (Next != Exit)
        Blocks.insert(Next);
  return Blocks;
}

/// A variable of the loop that the function of these blocks could only reach by its address
/// gets a copy in them, which goes in and comes back as a value: both can be registers
/// then. \returns the copies.
SmallVector<AllocaInst *, 4> FirstRuns::copyVariables() {
  const auto Blocks = region();
  auto IsInside = [&](const User *U) {
    return Blocks.contains(
        const_cast<BasicBlock *>(cast<Instruction>(U)->getParent()));
  };
  SmallVector<Value *, 8> Variables;
  for (Instruction &I : F.getEntryBlock())
    if (isa<AllocaInst>(I) && &I != Cycles && &I != Instructions &&
        any_of(I.users(), IsInside))
      Variables.push_back(&I);
  SmallVector<Value *, 8> Inside = Variables;
  const VariableCopies Copies(Inside, Cycles);
  SmallVector<AllocaInst *, 4> Found;
  for (auto [Variable, Copy] : zip(Variables, Inside)) {
    if (Variable == Copy)
      continue;
    Variable->replaceUsesWithIf(
        Copy, [&](const Use &U) { return IsInside(U.getUser()); });
    Found.push_back(cast<AllocaInst>(Copy));
  }
  if (Found.empty())
    return Found;
  IRBuilder<> B(First->getSinglePredecessor()->getTerminator());
  Copies.fill(B);
  BasicBlock *Exit = Limit->lastExit()->getSingleSuccessor();
  SmallVector<BasicBlock *, 4> Ends;
  for (BasicBlock *Before : predecessors(Exit))
    if (Blocks.contains(Before))
      Ends.push_back(Before);
  B.SetInsertPoint(
      SplitBlockPredecessors(Exit, Ends, ".first")->getTerminator());
  Copies.readBack(B);
  return Found;
}

/// \returns a function of the blocks, as a run that is held shall save no registers for
/// the others; null if that cannot be.
Function *FirstRuns::extract() {
  const auto Blocks = region();
  DominatorTree DT(F);
  CodeExtractor Extractor(Blocks.getArrayRef(), &DT);
  SetVector<Value *> Inputs, Outputs;
  Function *Code = Extractor.isEligible()
                       ? Extractor.extractCodeRegion(
                             CodeExtractorAnalysisCache(F), Inputs, Outputs)
                       : nullptr;
  return Code && Outputs.size() == 1 ? returnOutput(*Code) : Code;
}

void FirstRuns::finish(const Twine &Name) {
  inlinePolicy(Calls);
  SmallVector<AllocaInst *, 4> Registers = copyVariables();
  Registers.append({Cycles, Instructions});
  llvm::erase_if(Registers,
                 [](AllocaInst *Own) { return !isAllocaPromotable(Own); });
  {
    DominatorTree DT(F);
    PromoteMemToReg(Registers, DT);
  }
  const BasicBlock *Before = First->getSinglePredecessor();
  Function *Code = extract();
  if (!Code)
    return;
  Code->setName(Name);
  stayApart(*Code);
  Code->setAlignment(Align(LineBytes));
  Code->removeFromParent();
  F.getParent()->getFunctionList().insertAfter(F.getIterator(), Code);
  // While the record comes from memory, too.
  BasicBlock *Caller = Before->getTerminator()->getSuccessor(0);
  IRBuilder<> B(Caller, Caller->getFirstInsertionPt());
  readCode(B, Code, 0, CodeLines);
  readCode(B, Target(*F.getParent()).codePlace(B), 1, HeldLines);
}
