// SPDX-License-Identifier: Apache-2.0
// A copy of a module to try something on, which is then thrown away. It has a
// context of its own, so that nothing of it reaches types, metadata or remarks of
// the original; what it would report is not.

#ifndef ASYNCMEM_MODULESNAPSHOT_H
#define ASYNCMEM_MODULESNAPSHOT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace asyncmem {

/// The module as it was when this was made.
class ModuleSnapshot {
public:
  explicit ModuleSnapshot(const llvm::Module &M);

  /// Runs \p Passes on a copy of it.
  void run(llvm::ModulePassManager &Passes,
           llvm::ModuleAnalysisManager &MAM) const;

private:
  llvm::SmallVector<char, 0> Bitcode;

  std::unique_ptr<llvm::Module> copy(llvm::LLVMContext &Context) const;
};

} // namespace asyncmem

#endif
