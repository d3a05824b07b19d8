// SPDX-License-Identifier: Apache-2.0
// The options travel with the module, as metadata: every pass reads there, in
// Clang, in `opt`, and on the copy of a trial.

#ifndef ASYNCMEM_MODULEOPTIONS_H
#define ASYNCMEM_MODULEOPTIONS_H

#include "common/Options.h"
#include "llvm/IR/PassManager.h"

namespace asyncmem {

/// Writes options into the module, in place of those it has.
class WriteOptionsPass : public llvm::PassInfoMixin<WriteOptionsPass> {
public:
  explicit WriteOptionsPass(const Options &Opts) : Opts(Opts) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  static bool isRequired() { return true; }

private:
  Options Opts;
};

/// \returns the options of \p M, the defaults if it has none. Ends the
/// compilation with a message if they cannot be read.
Options readOptions(const llvm::Module &M);

/// \returns true if \p M had options, which are gone now.
bool removeOptions(llvm::Module &M);

} // namespace asyncmem

#endif
