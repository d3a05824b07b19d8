// SPDX-License-Identifier: Apache-2.0
// The way into a loop and out of it without a question to the policy (x86-64): for
// runs of which it has said before that they are the plain loop. Short ones would take
// as long for the answer as for their iterations.
//
//   start -> held ---> control -> ...
//       \--> ask ---->    ^
//   end of a chunk -> next -> tell -> next chunk
//                       \--------------^

#ifndef ASYNCMEM_PLAINRUNS_H
#define ASYNCMEM_PLAINRUNS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

class PlainRuns {
public:
  /// Runs of the loop with the record \p Loop, each with \p Run, begin in \p Start
  /// and go on in \p Control, both without instructions yet. Null: all are asked about.
  PlainRuns(llvm::GlobalVariable *Loop, llvm::AllocaInst *Run,
            llvm::BasicBlock *Start, llvm::BasicBlock *Control);

  /// Where a run begins for which the policy has to be asked.
  llvm::BasicBlock *ask() const { return Ask; }
  /// From which a run comes to Control first.
  llvm::SmallVector<llvm::BasicBlock *, 2> waysIn() const;

  /// Ends the block of \p B, where the policy has answered, with the way to Control.
  void enter(llvm::IRBuilderBase &B);

  /// In Control: the form to run, and its iterations.
  llvm::Value *form() const { return Form; }
  llvm::Value *budget() const { return Budget; }

  /// Ends \p Next, the end of a chunk of a run with iterations left, with a way to
  /// the block that is returned: there the policy can be asked what it goes on with.
  llvm::BasicBlock *goOn(llvm::BasicBlock *Next, unsigned Tasks,
                         uint64_t TurnCycles);

  /// Lets \p Call be made in front of \p Leave, where the run has ended, if the
  /// policy was asked before it.
  void end(llvm::Instruction *Leave,
           llvm::function_ref<void(llvm::IRBuilderBase &)> Call);

private:
  llvm::AllocaInst *Run;
  llvm::BasicBlock *Control, *Ask;
  /// Goes to Control from a run for which the policy need not be asked, if there are any.
  llvm::BasicBlock *Held = nullptr;
  llvm::PHINode *Form, *Budget;
  /// Whether the policy knows of the run.
  llvm::PHINode *IsAsked;

  llvm::Value *word(llvm::IRBuilderBase &B, unsigned Number) const;
};

} // namespace asyncmem

#endif
