// SPDX-License-Identifier: Apache-2.0

#include "common/ModuleOptions.h"
#include "common/Names.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace asyncmem;

PreservedAnalyses WriteOptionsPass::run(Module &M, ModuleAnalysisManager &) {
  removeOptions(M);
  SmallVector<Metadata *, 4> Given;
  for (const std::string &Option : Opts.given())
    Given.push_back(MDString::get(M.getContext(), Option));
  M.getOrInsertNamedMetadata(OptionList)
      ->addOperand(MDNode::get(M.getContext(), Given));
  return PreservedAnalyses::all();
}

Options asyncmem::readOptions(const Module &M) {
  Options Opts;
  const NamedMDNode *List = M.getNamedMetadata(OptionList);
  if (!List)
    return Opts;
  // A linker puts the options of the second module behind those of the first.
  if (List->getNumOperands() != 1)
    report_fatal_error("asyncmem: the module has the options of several "
                       "modules: split their loops before they are linked",
                       /*gen_crash_diag=*/false);
  for (const MDOperand &Operand : List->getOperand(0)->operands()) {
    auto *Option = dyn_cast_or_null<MDString>(Operand);
    std::string Error = "asyncmem: metadata asyncmem.options must be strings";
    if (!Option || !Opts.parse(Option->getString(), Error))
      report_fatal_error(Twine(Error), /*gen_crash_diag=*/false);
  }
  return Opts;
}

bool asyncmem::removeOptions(Module &M) {
  NamedMDNode *List = M.getNamedMetadata(OptionList);
  if (List)
    List->eraseFromParent();
  return List;
}
