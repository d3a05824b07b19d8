// SPDX-License-Identifier: Apache-2.0
// The policy of AdaptPolicy.c as functions of a module.

#ifndef ASYNCMEM_POLICYCODE_H
#define ASYNCMEM_POLICYCODE_H

#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// What the program may read beside its cycle counter.
struct PolicyCounters {
  /// Tells an instruction-set simulator's clock (RISC-V only).
  bool Instructions = false;
  /// The caches' answers to the AMU.
  bool AmuLines = false;
};

/// void Start(loop, run, i64 tasks, i64 turn cycles), Next(loop, run, i64
/// iterations), End(loop, run, i64 iterations); for NH-G i64 More(loop, run), when all
/// iterations given have begun: how many more may, and in the first runs
/// of a loop, with places for cycles and instructions, i64 First(loop, places), i64
/// FirstNext(loop, places, i64 iterations before the piece, and of it, i32 whether the run
/// is over): iterations of the next piece, or 0.
struct PolicyCode {
  llvm::Function *Start;
  llvm::Function *Next;
  llvm::Function *End;
  llvm::Function *More;
  llvm::Function *First, *FirstNext;
};

/// Calls \p More from tasks, at the cost of few registers.
llvm::Value *callMore(llvm::IRBuilderBase &B, llvm::Function *More,
                      llvm::Value *Loop, llvm::Value *Run);

/// \returns those that \p M has.
PolicyCode policyCode(llvm::Module &M);
/// Gives \p M its copy of the functions, once.
PolicyCode addPolicyCode(llvm::Module &M, const PolicyCounters &Counters);

/// What the policy remembers of a loop: words that are 0 at first.
llvm::GlobalVariable *createLoopRecord(llvm::Module &M);

/// Makes one of them \p Value at first.
void beginLoopWord(llvm::GlobalVariable *Loop, unsigned Word, uint64_t Value);
/// Likewise a bit of ADAPT_TRAITS.
void addLoopTrait(llvm::GlobalVariable *Loop, uint64_t Trait);

/// Reads or writes a word of a loop's record, which other threads may do, too.
llvm::Value *loadLoopWord(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                          unsigned Word);
void storeLoopWord(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                   unsigned Word, llvm::Value *V);

/// The same of a word with a name of its own, nameLoopWord(): on RISC-V one instruction
/// less where a function uses other words, too, but not on the same path.
llvm::GlobalAlias *nameLoopWord(llvm::GlobalVariable *Loop, unsigned Word);
llvm::Value *loadWord(llvm::IRBuilderBase &B, llvm::Value *Place);
void storeWord(llvm::IRBuilderBase &B, llvm::Value *Place, llvm::Value *V);

/// Makes the policy's code part of the function that has \p Calls of it.
void inlinePolicy(llvm::ArrayRef<llvm::CallInst *> Calls);

/// Ends the block of \p B with a branch to \p Held if a run may begin as the plain loop
/// without a question, else to \p Ask. \returns how many may, for takeHeldRun.
llvm::Value *branchIfHeld(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                          llvm::BasicBlock *Held, llvm::BasicBlock *Ask,
                          llvm::MDNode *Weights = nullptr);

/// Takes one of them.
void takeHeldRun(llvm::IRBuilderBase &B, llvm::GlobalVariable *Loop,
                 llvm::Value *Runs);

/// \returns the iterations that such a run has before the policy is asked: \p AtLeast
/// so many, however little the record says.
llvm::Value *loadHeldIterations(llvm::IRBuilderBase &B,
                                llvm::GlobalVariable *Loop, uint64_t AtLeast);

/// What it remembers of one run of a loop in \p F.
llvm::AllocaInst *createRunRecord(llvm::Function &F);

/// Reads from \p Count lines of code, the first one \p First lines behind \p Start, so
/// that they come from memory together. Prefetches would not wait, but NH-G drops one of
/// two in the same cycle.
void readCode(llvm::IRBuilderBase &B, llvm::Value *Start, int64_t First,
              unsigned Count);

} // namespace asyncmem

#endif
