// SPDX-License-Identifier: Apache-2.0

#include "common/ProgramCode.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

void asyncmem::linkProgramCode(Module &M, StringRef Bitcode,
                               ArrayRef<StringRef> Names, StringRef Remedy,
                               function_ref<void(Module &)> Adjust) {
  for (StringRef Name : Names)
    if (M.getNamedValue(Name))
      report_fatal_error("asyncmem: the program uses the reserved name " +
                             Name + "; " + Remedy,
                         /*gen_crash_diag=*/false);
  std::unique_ptr<Module> Code = cantFail(
      parseBitcodeFile(MemoryBufferRef(Bitcode, "asyncmem"), M.getContext()));
  Code->setTargetTriple(M.getTargetTriple());
  Code->setDataLayout(M.getDataLayout());
  if (NamedMDNode *Flags = Code->getModuleFlagsMetadata())
    Flags->eraseFromParent();
  if (NamedMDNode *Ident = Code->getNamedMetadata("llvm.ident"))
    Ident->eraseFromParent();
  Adjust(*Code);
  Linker::linkModules(M, std::move(Code));
}
