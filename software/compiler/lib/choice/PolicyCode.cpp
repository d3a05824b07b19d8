// SPDX-License-Identifier: Apache-2.0

#include "choice/PolicyCode.h"
#include "choice/AdaptInterface.h"
#include "common/Target.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "platform.h"

using namespace llvm;
using namespace asyncmem;

// The files are what clang made of AdaptPolicy.c.
asm(".section .rodata\n"
    "asyncmem_policy_begin: .incbin \"" POLICY_FILE "\"\n"
    "asyncmem_policy_end:\n"
    "asyncmem_policy_of_forms_begin: .incbin \"" POLICY_OF_FORMS_FILE "\"\n"
    "asyncmem_policy_of_forms_end:\n"
    ".previous");
extern "C" __attribute__((visibility("hidden")))
const char asyncmem_policy_begin[],
    asyncmem_policy_end[], asyncmem_policy_of_forms_begin[],
    asyncmem_policy_of_forms_end[];

static constexpr char StartName[] = "__asyncmem_adapt_start";
static constexpr char NextName[] = "__asyncmem_adapt_next";
static constexpr char EndName[] = "__asyncmem_adapt_end";
static constexpr char MoreName[] = "__asyncmem_adapt_more";
static constexpr char MoreSavingName[] = "__asyncmem_adapt_more_saving";
static constexpr char FirstName[] = "__asyncmem_adapt_first";
static constexpr char FirstNextName[] = "__asyncmem_adapt_first_next";
static constexpr char InstructionsName[] = "__asyncmem_adapt_instructions";
static constexpr char LinesName[] = "__asyncmem_adapt_lines";

/// \p Read is the assembler's instruction; without one the function returns
/// \p Otherwise. Its calls are inlined: the pipeline's inliner has run.
static void defineReader(Module &M, StringRef Name, StringRef Read,
                         uint64_t Otherwise) {
  Function *F = M.getFunction(Name);
  // Else it would bring .eh_frame, and with debug information that of all others.
  F->setDoesNotThrow();
  F->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *Result = B.getInt64(Otherwise);
  if (!Read.empty())
    Result = B.CreateCall(
        InlineAsm::get(FunctionType::get(B.getInt64Ty(), false), Read, "=r",
                       /*hasSideEffects=*/true));
  B.CreateRet(Result);
  for (User *Caller : make_early_inc_range(F->users())) {
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Inlined =
        InlineFunction(*cast<CallBase>(Caller), Info);
    assert(Inlined.isSuccess() && "a reader is one instruction");
  }
  F->eraseFromParent();
}

/// Calls \p F, which takes two arguments and no floating-point registers, from tasks,
/// whose values shall not make room for a call that is seldom: with arguments in t1 and
/// t2, result in t1, return address in t0, and all else saved.
static void addSavingCall(Module &M, Function *F) {
  static constexpr const char *Saved[] = {"ra", "t2", "a0", "a1", "a2",
                                          "a3", "a4", "a5", "a6", "a7",
                                          "t3", "t4", "t5", "t6", "t0"};
  LLVMContext &Context = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Context), false);
  Function *Call =
      Function::Create(Type, GlobalValue::InternalLinkage, MoreSavingName, M);
  Call->addFnAttr(Attribute::Naked);
  Call->addFnAttr(Attribute::NoInline);
  Call->addFnAttr(Attribute::Cold);
  Call->setDoesNotThrow();
  std::string Before = "addi sp, sp, -128\n", After = "mv t1, a0\n";
  for (auto [Index, Register] : enumerate(Saved)) {
    std::string Place =
        (Twine(Register) + ", " + Twine(8 * Index) + "(sp)\n").str();
    Before += "sd " + Place;
    After += "ld " + Place;
  }
  IRBuilder<> B(BasicBlock::Create(Context, "entry", Call));
  auto *AsmType = FunctionType::get(B.getVoidTy(), {F->getType()}, false);
  B.CreateCall(InlineAsm::get(AsmType,
                              Before + "mv a0, t1\nmv a1, t2\ncall $0\n" +
                                  After + "addi sp, sp, 128\njr t0",
                              "i", /*hasSideEffects=*/true),
               {F});
  B.CreateUnreachable();
}

/// Loops for NH-G have one form as tasks.
static bool hasForms(const Module &M) { return !Target(M).mayHaveAmu(); }

/// Functions of a module say what they are compiled for, which counts where that is done
/// at link time. Those of NH-G are all alike; for x86-64 the policy needs nothing.
static void describeTarget(const Module &M, Module &Policy) {
  static constexpr StringLiteral OfOneTarget[] = {
      "target-cpu", "target-features", "tune-cpu"};
  const Function *Model = nullptr;
  for (const Function &F : M)
    if (!hasForms(M) && !F.isDeclaration())
      Model = &F;
  for (Function &F : Policy)
    for (StringRef Kind : OfOneTarget) {
      F.removeFnAttr(Kind);
      if (Model && Model->hasFnAttribute(Kind))
        F.addFnAttr(Model->getFnAttribute(Kind));
    }
}

static void link(Module &M, const PolicyCounters &Counters) {
  for (StringRef Name : {StartName, NextName, EndName, MoreName, FirstName,
                         FirstNextName, InstructionsName, LinesName})
    if (M.getNamedValue(Name))
      report_fatal_error("asyncmem: the program uses the reserved name " +
                             Name + "; rename it, or compile with adapt=off",
                         /*gen_crash_diag=*/false);
  auto Between = [](const char *Begin, const char *End) {
    return StringRef(Begin, End - Begin);
  };
  StringRef Bytes = hasForms(M)
                        ? Between(asyncmem_policy_of_forms_begin,
                                  asyncmem_policy_of_forms_end)
                        : Between(asyncmem_policy_begin, asyncmem_policy_end);
  std::unique_ptr<Module> Policy = cantFail(
      parseBitcodeFile(MemoryBufferRef(Bytes, "AdaptPolicy"), M.getContext()));
  Policy->setTargetTriple(M.getTargetTriple());
  Policy->setDataLayout(M.getDataLayout());
  if (NamedMDNode *Flags = Policy->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  if (NamedMDNode *Ident = Policy->getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();
  describeTarget(M, *Policy);
  Linker::linkModules(M, std::move(Policy));
  // Of those that become a part of each loop, nothing else is left.
  for (StringRef Name : {StartName, NextName, EndName})
    M.getFunction(Name)->setLinkage(
        hasForms(M) ? GlobalValue::InternalLinkage
                    : GlobalValue::AvailableExternallyLinkage);
  if (Function *More = M.getFunction(MoreName)) {
    More->setLinkage(GlobalValue::InternalLinkage);
    addSavingCall(M, More);
    for (StringRef Name : {FirstName, FirstNextName})
      M.getFunction(Name)->setLinkage(GlobalValue::AvailableExternallyLinkage);
  }
  defineReader(M, InstructionsName, Counters.Instructions ? "rdinstret $0" : "",
               0);
  defineReader(M, LinesName,
               Counters.AmuLines ? "csrr $0, " + std::to_string(NHG_CSR_AMUHITS)
                                 : "",
               UINT64_MAX);
}

PolicyCode asyncmem::policyCode(Module &M) {
  return {M.getFunction(StartName), M.getFunction(NextName),
          M.getFunction(EndName),   M.getFunction(MoreSavingName),
          M.getFunction(FirstName), M.getFunction(FirstNextName)};
}

PolicyCode asyncmem::addPolicyCode(Module &M, const PolicyCounters &Counters) {
  if (!M.getFunction(StartName))
    link(M, Counters);
  return policyCode(M);
}

void asyncmem::inlinePolicy(ArrayRef<CallInst *> Calls) {
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Inlined = InlineFunction(*Call, Info);
    assert(Inlined.isSuccess() && "the policy's entries are simple");
  }
}

Value *asyncmem::callMore(IRBuilderBase &B, Function *More, Value *Loop,
                          Value *Run) {
  auto *Type = FunctionType::get(
      B.getInt64Ty(), {More->getType(), Loop->getType(), Run->getType()},
      false);
  return B.CreateCall(InlineAsm::get(Type, "call t0, $1",
                                     "={t1},i,{t1},{t2},~{t0},~{memory}",
                                     /*hasSideEffects=*/true),
                      {More, Loop, Run});
}

GlobalVariable *asyncmem::createLoopRecord(Module &M) {
  Type *I64 = Type::getInt64Ty(M.getContext());
  ArrayType *Words = ArrayType::get(I64, ADAPT_LOOP_WORDS);
  auto *Loop = new GlobalVariable(
      M, Words, /*isConstant=*/false, GlobalValue::InternalLinkage,
      ConstantAggregateZero::get(Words), "asyncmem.adapt");
  Loop->setAlignment(Align(LineBytes));
  return Loop;
}

void asyncmem::addLoopTrait(GlobalVariable *Loop, uint64_t Trait) {
  Constant *Old = Loop->getInitializer()->getAggregateElement(ADAPT_TRAITS);
  beginLoopWord(Loop, ADAPT_TRAITS,
                cast<ConstantInt>(Old)->getZExtValue() | Trait);
}

void asyncmem::beginLoopWord(GlobalVariable *Loop, unsigned Word,
                             uint64_t Value) {
  auto *Words = cast<ArrayType>(Loop->getValueType());
  SmallVector<Constant *, ADAPT_LOOP_WORDS> Values;
  for (unsigned I = 0; I != ADAPT_LOOP_WORDS; ++I)
    Values.push_back(Loop->getInitializer()->getAggregateElement(I));
  Values[Word] = ConstantInt::get(Words->getElementType(), Value);
  Loop->setInitializer(ConstantArray::get(Words, Values));
}

static Value *loopWord(IRBuilderBase &B, GlobalVariable *Loop, unsigned Word) {
  return B.CreateConstInBoundsGEP2_64(Loop->getValueType(), Loop, 0, Word);
}

GlobalAlias *asyncmem::nameLoopWord(GlobalVariable *Loop, unsigned Word) {
  IRBuilder<> B(Loop->getContext());
  return GlobalAlias::create(
      B.getInt64Ty(), /*AddressSpace=*/0, GlobalValue::InternalLinkage,
      Loop->getName() + ".word", cast<Constant>(loopWord(B, Loop, Word)),
      Loop->getParent());
}

Value *asyncmem::loadWord(IRBuilderBase &B, Value *Place) {
  LoadInst *V = B.CreateLoad(B.getInt64Ty(), Place);
  V->setAtomic(AtomicOrdering::Monotonic);
  return V;
}

void asyncmem::storeWord(IRBuilderBase &B, Value *Place, Value *V) {
  B.CreateStore(V, Place)->setAtomic(AtomicOrdering::Monotonic);
}

Value *asyncmem::loadLoopWord(IRBuilderBase &B, GlobalVariable *Loop,
                              unsigned Word) {
  return loadWord(B, loopWord(B, Loop, Word));
}

void asyncmem::storeLoopWord(IRBuilderBase &B, GlobalVariable *Loop,
                             unsigned Word, Value *V) {
  storeWord(B, loopWord(B, Loop, Word), V);
}

Value *asyncmem::branchIfHeld(IRBuilderBase &B, GlobalVariable *Loop,
                              BasicBlock *Held, BasicBlock *Ask,
                              MDNode *Weights) {
  Value *Runs = loadLoopWord(B, Loop, ADAPT_PLAIN_LEFT);
  B.CreateCondBr(B.CreateIsNotNull(Runs), Held, Ask, Weights);
  return Runs;
}

void asyncmem::takeHeldRun(IRBuilderBase &B, GlobalVariable *Loop,
                           Value *Runs) {
  storeLoopWord(B, Loop, ADAPT_PLAIN_LEFT, B.CreateSub(Runs, B.getInt64(1)));
}

Value *asyncmem::loadHeldIterations(IRBuilderBase &B, GlobalVariable *Loop,
                                    uint64_t AtLeast) {
  // Another thread may be about to say how many.
  return B.CreateBinaryIntrinsic(Intrinsic::umax,
                                 loadLoopWord(B, Loop, ADAPT_HELD_ITERATIONS),
                                 B.getInt64(AtLeast));
}

AllocaInst *asyncmem::createRunRecord(Function &F) {
  Type *I64 = Type::getInt64Ty(F.getContext());
  return new AllocaInst(ArrayType::get(I64, ADAPT_RUN_WORDS), 0, "adapt.run",
                        &*F.getEntryBlock().getFirstInsertionPt());
}

void asyncmem::readCode(IRBuilderBase &B, Value *Start, int64_t First,
                        unsigned Count) {
  for (unsigned Line = 0; Line < Count; ++Line)
    B.CreateLoad(B.getInt8Ty(),
                 B.CreateConstGEP1_64(B.getInt8Ty(), Start,
                                      (First + Line) * int64_t(LineBytes)),
                 /*isVolatile=*/true);
}
