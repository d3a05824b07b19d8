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

// The file is what clang made of AdaptPolicy.c.
asm(".section .rodata\n"
    "asyncmem_policy_begin: .incbin \"" POLICY_FILE "\"\n"
    "asyncmem_policy_end:\n"
    ".previous");
extern "C" __attribute__((visibility("hidden")))
const char asyncmem_policy_begin[],
    asyncmem_policy_end[];

static constexpr char StartName[] = "__asyncmem_adapt_start";
static constexpr char NextName[] = "__asyncmem_adapt_next";
static constexpr char EndName[] = "__asyncmem_adapt_end";
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

/// Functions of a module say what they are compiled for, which counts where that is done
/// at link time. Those of NH-G are all alike; for x86-64 the policy needs nothing.
static void describeTarget(const Module &M, Module &Policy) {
  static constexpr StringLiteral OfOneTarget[] = {
      "target-cpu", "target-features", "tune-cpu"};
  const Function *Model = nullptr;
  if (Target(M).mayHaveAmu())
    for (const Function &F : M)
      if (!F.isDeclaration())
        Model = &F;
  for (Function &F : Policy)
    for (StringRef Kind : OfOneTarget) {
      F.removeFnAttr(Kind);
      if (Model && Model->hasFnAttribute(Kind))
        F.addFnAttr(Model->getFnAttribute(Kind));
    }
}

static void link(Module &M, const PolicyCounters &Counters) {
  for (StringRef Name :
       {StartName, NextName, EndName, InstructionsName, LinesName})
    if (M.getNamedValue(Name))
      report_fatal_error("asyncmem: the program uses the reserved name " +
                             Name + "; rename it, or compile with adapt=off",
                         /*gen_crash_diag=*/false);
  StringRef Bytes(asyncmem_policy_begin,
                  asyncmem_policy_end - asyncmem_policy_begin);
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
  for (StringRef Name : {StartName, NextName, EndName})
    M.getFunction(Name)->setLinkage(GlobalValue::InternalLinkage);
  defineReader(M, InstructionsName, Counters.Instructions ? "rdinstret $0" : "",
               0);
  defineReader(M, LinesName,
               Counters.AmuLines ? "csrr $0, " + std::to_string(NHG_CSR_AMUHITS)
                                 : "",
               UINT64_MAX);
}

PolicyCode asyncmem::addPolicyCode(Module &M, const PolicyCounters &Counters) {
  if (!M.getFunction(StartName))
    link(M, Counters);
  return {M.getFunction(StartName), M.getFunction(NextName),
          M.getFunction(EndName)};
}

GlobalVariable *asyncmem::createLoopRecord(Module &M, uint64_t Tasks,
                                           uint64_t TurnCycles) {
  uint64_t Words[ADAPT_LOOP_WORDS] = {};
  Words[ADAPT_CHUNK] = 1;
  Words[ADAPT_TASK_COUNT] = Tasks;
  Words[ADAPT_TURN_CYCLES] = TurnCycles;
  Constant *First = ConstantDataArray::get(M.getContext(), Words);
  auto *Loop =
      new GlobalVariable(M, First->getType(), /*isConstant=*/false,
                         GlobalValue::InternalLinkage, First, "asyncmem.adapt");
  Loop->setAlignment(Align(LineBytes));
  return Loop;
}

static Value *loopWord(IRBuilderBase &B, GlobalVariable *Loop, unsigned Word) {
  return B.CreateConstInBoundsGEP2_64(Loop->getValueType(), Loop, 0, Word);
}

Value *asyncmem::loadLoopWord(IRBuilderBase &B, GlobalVariable *Loop,
                              unsigned Word) {
  LoadInst *V = B.CreateLoad(B.getInt64Ty(), loopWord(B, Loop, Word));
  V->setAtomic(AtomicOrdering::Monotonic);
  return V;
}

void asyncmem::storeLoopWord(IRBuilderBase &B, GlobalVariable *Loop,
                             unsigned Word, Value *V) {
  B.CreateStore(V, loopWord(B, Loop, Word))
      ->setAtomic(AtomicOrdering::Monotonic);
}

AllocaInst *asyncmem::createRunRecord(Function &F) {
  Type *I64 = Type::getInt64Ty(F.getContext());
  return new AllocaInst(ArrayType::get(I64, ADAPT_RUN_WORDS), 0, "adapt.run",
                        &*F.getEntryBlock().getFirstInsertionPt());
}
