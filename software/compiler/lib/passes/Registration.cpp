// SPDX-License-Identifier: Apache-2.0
// The passes and their places, in Clang's pipeline and by name.

#include "passes/Passes.h"
#include "frontend/AsyncMark.h"
#include "frontend/Clauses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace asyncmem;

static AsyncMarkPass markTriedLoops(PassBuilder &PB, const Compilation &Like) {
  return AsyncMarkPass([&PB, Like](Module &M, ModuleAnalysisManager &MAM) {
    return tryLoops(M, MAM, PB, Like);
  });
}

/// Mark runs before any optimisation, behind a trial of everything; Split after
/// inlining and the scalar passes, before vectorisation (the paper's two phases,
/// section III-G).
void asyncmem::addToPipeline(PassBuilder &PB, const Compilation &Like) {
  PB.registerPipelineStartEPCallback(
      [&PB, Like](ModulePassManager &MPM, OptimizationLevel Level) {
        Compilation Own = Like;
        Own.Level = Level;
        MPM.addPass(Level == OptimizationLevel::O0 ? AsyncMarkPass(nullptr)
                                                   : markTriedLoops(PB, Own));
        MPM.addPass(KeepStorePlacesPass());
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel Level) {
        if (Level == OptimizationLevel::O0)
          return;
        MPM.addPass(HandwrittenPartsPass());
        MPM.addPass(AsyncSplitPass());
      });
}

/// Adds asyncmem-options<name=value;...>. \returns false if \p Name is another
/// pass, or an option is wrong, which is said then.
static bool addOptions(StringRef Name, ModulePassManager &MPM) {
  if (!Name.consume_front("asyncmem-options<") || !Name.consume_back(">"))
    return false;
  Options Opts;
  for (StringRef Option : split(Name, ';')) {
    std::string Error;
    if (!Opts.parse(Option, Error)) {
      errs() << Error << '\n';
      return false;
    }
  }
  MPM.addPass(WriteOptionsPass(Opts));
  return true;
}

void asyncmem::registerPassNames(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(
      [&PB](StringRef Name, ModulePassManager &MPM,
            ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "asyncmem-mark")
          MPM.addPass(markTriedLoops(PB, Compilation()));
        else if (Name == "asyncmem-mark<untried>")
          MPM.addPass(AsyncMarkPass(
              [](Module &, ModuleAnalysisManager &) { return TrialResult(); }));
        else if (Name == "asyncmem-handwritten-parts")
          MPM.addPass(HandwrittenPartsPass());
        else if (Name == "asyncmem-prepare")
          MPM.addPass(AsyncSplitPass(Stage::Prepared));
        else if (Name == "asyncmem-plan")
          MPM.addPass(AsyncSplitPass(Stage::Planned));
        else if (Name == "asyncmem-split")
          MPM.addPass(AsyncSplitPass());
        else if (Name == "print<asyncmem-classes>")
          MPM.addPass(LoopPrinterPass(Stage::Classified, errs()));
        else if (Name == "print<asyncmem-groups>")
          MPM.addPass(LoopPrinterPass(Stage::Grouped, errs()));
        else if (Name == "print<asyncmem-near>")
          MPM.addPass(LoopPrinterPass(Stage::Near, errs()));
        else if (Name == "print<asyncmem-requests>")
          MPM.addPass(LoopPrinterPass(Stage::Planned, errs()));
        else
          return addOptions(Name, MPM);
        return true;
      });
}
