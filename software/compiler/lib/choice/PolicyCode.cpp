// SPDX-License-Identifier: Apache-2.0

#include "choice/PolicyCode.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"

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

static void defineInstructions(Module &M, bool Count) {
  Function *F = M.getFunction(InstructionsName);
  // Else it would bring .eh_frame, and with debug information that of all others.
  F->setDoesNotThrow();
  F->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", F));
  Value *Instructions = B.getInt64(0);
  if (Count)
    Instructions = B.CreateCall(InlineAsm::get(
        FunctionType::get(B.getInt64Ty(), false), "rdinstret $0", "=r",
        /*hasSideEffects=*/true));
  B.CreateRet(Instructions);
}

static void link(Module &M, bool CountInstructions) {
  for (StringRef Name : {StartName, NextName, EndName, InstructionsName})
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
  defineInstructions(M, CountInstructions);
}

PolicyCode asyncmem::addPolicyCode(Module &M, bool CountInstructions) {
  if (!M.getFunction(StartName))
    link(M, CountInstructions);
  return {M.getFunction(StartName), M.getFunction(NextName),
          M.getFunction(EndName)};
}
