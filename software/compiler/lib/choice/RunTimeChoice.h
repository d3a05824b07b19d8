// SPDX-License-Identifier: Apache-2.0
// Plain loop or tasks, decided while the program runs.
//
// Tasks lose where the data is in the caches anyway, or where the core overlaps
// the iterations itself. The loop gets a plain copy; loop and copy run a limited
// number of iterations, then the policy (AdaptPolicy.c), which measures the
// time, says which form runs how many of the next ones:
//
//   preheader -> held? --> held ---> control -> plain copy | the loop itself
//                    \---> ask ------^                  |
//                                    ^-- next <-- end of the chunk -> end -> exit
//
// A run for which the policy has said before that it is the plain loop asks nothing.
// The limit costs nothing where the loop counts up to a bound: the bound is made
// smaller. Elsewhere a counter goes with the iterations.

#ifndef ASYNCMEM_RUNTIMECHOICE_H
#define ASYNCMEM_RUNTIMECHOICE_H

#include "common/Machine.h"
#include "common/TaskLoop.h"
#include <memory>

namespace asyncmem {

/// Reads or writes a word of the record that the policy has of a loop, which other threads
/// may do, too.
llvm::Value *loadLoopWord(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                          unsigned Word);
void storeLoopWord(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                   unsigned Word, llvm::Value *V);

/// Whether the end of \p T has a form that can be limited.
bool canChoose(const TaskLoop &T);

/// Puts the choice in front of the analysed loop \p T, whose last iteration is
/// then the last one of a chunk. \p Tasks may wait at the same time; one
/// measurement takes \p TurnCycles; 0: none, it is tasks where they can run. With a counter of instructions it is tasks
/// forever if the cycle counter counts them. \returns the policy's record, or null if
/// there can be no choice; nothing has changed then.
llvm::GlobalVariable *addRunTimeChoice(TaskLoop &T, unsigned Tasks,
                                       uint64_t TurnCycles,
                                       const PolicyCounters &Counters);

/// A copy of a function for short runs of its plain loop (ShortRuns.cpp).
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
