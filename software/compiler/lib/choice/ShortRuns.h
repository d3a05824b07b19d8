// SPDX-License-Identifier: Apache-2.0
// A function whose marked loop becomes tasks saves many registers, and has a large frame.
// A short run of the loop would notice. So the program calls a copy with the loop as it
// has it, for runs of which the policy has said that they are plain, and which end before
// it is to be asked:
//
//   function: ... -> short and plain? -> the loop -> ...
//                            \--> call of the function with the tasks, from its begin on
//
// That does again what comes before the loop, which must have changed nothing.

#ifndef ASYNCMEM_SHORTRUNS_H
#define ASYNCMEM_SHORTRUNS_H

#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>

namespace llvm {
class GlobalVariable;
class Loop;
} // namespace llvm

namespace asyncmem {

class ShortRuns {
public:
  /// Of the function of \p L, in canonical form and not changed yet. \returns null if there
  /// can be no such copy.
  static std::unique_ptr<ShortRuns> create(llvm::Loop &L,
                                           llvm::FunctionAnalysisManager &FAM);
  ~ShortRuns();

  /// The loop has tasks, and the policy's record \p Record. \returns the copy.
  llvm::Function &finish(llvm::GlobalVariable *Record);

private:
  ShortRuns(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

  llvm::FunctionAnalysisManager &FAM;
  llvm::Function &F;
  llvm::ValueToValueMapTy Map;
  llvm::Function *Copy;
  llvm::BasicBlock *Header;
};

} // namespace asyncmem

#endif
