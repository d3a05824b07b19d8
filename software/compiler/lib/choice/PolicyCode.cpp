// SPDX-License-Identifier: Apache-2.0

#include "choice/PolicyCode.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
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
/// \p Otherwise.
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
  for (Function &F : *Policy)
    for (StringRef OfOneTarget : {"target-cpu", "target-features", "tune-cpu"})
      F.removeFnAttr(OfOneTarget);
  Linker::linkModules(M, std::move(Policy));
  for (StringRef Name : {StartName, NextName, EndName})
    M.getFunction(Name)->setLinkage(GlobalValue::InternalLinkage);
  defineReader(M, InstructionsName, Counters.Instructions ? "rdinstret $0" : "",
               0);
  defineReader(
      M, LinesName,
      Counters.AmuLines ? formatv("csrr $0, {0}", NHG_CSR_AMUHITS).str() : "",
      UINT64_MAX);
}

PolicyCode asyncmem::addPolicyCode(Module &M, const PolicyCounters &Counters) {
  if (!M.getFunction(StartName))
    link(M, Counters);
  return {M.getFunction(StartName), M.getFunction(NextName),
          M.getFunction(EndName)};
}
