// SPDX-License-Identifier: Apache-2.0
// The policy of AdaptPolicy.c as functions of a module.

#ifndef ASYNCMEM_POLICYCODE_H
#define ASYNCMEM_POLICYCODE_H

#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// What the program may read beside its cycle counter.
struct PolicyCounters {
  /// Tells an instruction-set simulator's clock, and whether the core waits (RISC-V only).
  bool Instructions = false;
  /// The caches' answers to the AMU.
  bool AmuLines = false;
};

/// void Start(loop, run), Next(loop, run, i64 iterations), End(loop, run, i64 iterations).
struct PolicyCode {
  llvm::Function *Start;
  llvm::Function *Next;
  llvm::Function *End;
};

/// Gives \p M its copy of the functions, once.
PolicyCode addPolicyCode(llvm::Module &M, const PolicyCounters &Counters);

/// What the policy remembers of a loop with \p Tasks tasks.
llvm::GlobalVariable *createLoopRecord(llvm::Module &M, uint64_t Tasks,
                                       uint64_t TurnCycles);

/// Reads or writes a word of it, which other threads may do, too.
llvm::Value *loadLoopWord(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                          unsigned Word);
void storeLoopWord(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                   unsigned Word, llvm::Value *V);

/// What it remembers of one run of a loop in \p F.
llvm::AllocaInst *createRunRecord(llvm::Function &F);

} // namespace asyncmem

#endif
