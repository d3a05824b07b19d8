// SPDX-License-Identifier: Apache-2.0
// Entry point of opt -load-pass-plugin=asyncmem-opt.so: the passes alone. The
// front end needs Clang, which opt does not bring.

#include "common/Reports.h"
#include "passes/Passes.h"
#include "llvm/Passes/PassPlugin.h"

using namespace llvm;

extern "C" LLVM_EXTERNAL_VISIBILITY PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "asyncmem", LLVM_VERSION_STRING,
          [](PassBuilder &PB) {
            asyncmem::beginReports(/*WarningsShown=*/true);
            asyncmem::addToPipeline(PB);
            asyncmem::registerPassNames(PB);
          }};
}
