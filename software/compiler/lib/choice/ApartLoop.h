// SPDX-License-Identifier: Apache-2.0
// A marked loop whose tasks and their choice (NH-G), or that alone, are in a function of
// its own.
// The loop itself stays where and as the program has it, for runs of which the policy
// has said that they are plain: short ones would take as long to ask it, and to save
// the registers that tasks need, as for their iterations.
//
// A run that takes longer than what is left has to be asked about; of the first ones, in
// pieces, the rest may be handed over (FirstRuns.h). Where the end is not known in front of
// the loop, iterations are counted, and what is left is handed over:
//
//   preheader -> as many left? -> held -> the loop -> exits
//                      \--> never asked? -> first: call -> exits
//                            \--> apart: call -> leave -> exits
//
//   preheader -> held? -> held -> the loop -> exits
//                  \               \--> over
//                   \--> apart: call <--/

#ifndef ASYNCMEM_APARTLOOP_H
#define ASYNCMEM_APARTLOOP_H

#include "choice/LoopState.h"
#include "choice/Outline.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <memory>
#include <optional>

namespace llvm {
class Loop;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace asyncmem {

class ApartLoop {
public:
  /// \returns null if \p L cannot do without its function. \p HasTrial says whether the
  /// policy begins with one.
  static std::unique_ptr<ApartLoop>
  create(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM, bool HasTrial);
  ~ApartLoop();

  /// The function's, in which tasks are built. It has the name of the original as
  /// long as this lives.
  llvm::Function &copy() { return Copy; }
  /// \returns the block of the copy for \p BB of the original.
  llvm::BasicBlock *twin(const llvm::BasicBlock *BB) {
    return llvm::cast<llvm::BasicBlock>(Map.lookup(BB));
  }

  /// Takes the tasks out of the copy, and calls them in the original where the loop
  /// with the policy's record \p Loop, null without a choice, does not run itself.
  /// \returns their function; null if they need the original's, which is as it was.
  llvm::Function *finish(llvm::GlobalVariable *Loop);

private:
  llvm::FunctionAnalysisManager &FAM;
  llvm::Function &F;
  TaskLoop Plain;
  /// Of its own: what it can tell depends on what it was asked before, and a loop that
  /// stays in its function is judged as on trial.
  std::unique_ptr<llvm::ScalarEvolution> SE;
  /// Null if it is not known.
  const llvm::SCEV *Repeats;
  /// Its first runs are pieces of a trial.
  bool HasFirstRuns;
  LoopState State;
  llvm::ValueToValueMapTy Map;
  llvm::Function &Copy;
  llvm::BasicBlock *Entry, *End;
  /// In the copy: what is left behind for the original, and a place for its address.
  llvm::AllocaInst *Record, *Place;
  /// Of the last value that is written there.
  llvm::StoreInst *Last = nullptr;
  /// What a phi of the header starts with, where iterations may be handed over, or, without
  /// a phi, how many ran before: a value of the copy of which nothing is known, null if it
  /// was needed no more, and one of the original that is its own.
  struct StartValue {
    llvm::PHINode *Phi;
    llvm::WeakTrackingVH Hidden;
    llvm::Instruction *StandIn;
  };
  llvm::SmallVector<StartValue, 4> Starts;

  ApartLoop(TaskLoop Plain, std::unique_ptr<llvm::ScalarEvolution> SE,
            const llvm::SCEV *Repeats, llvm::FunctionAnalysisManager &FAM,
            bool HasTrial);

  bool needsRecord() const;
  void closeExits();
  void hideStarts(llvm::BasicBlock &Before);
  llvm::Value *startOf(const StartValue &S) const;
  void handOver(llvm::BasicBlock *Apart, llvm::BasicBlock *AtFirst,
                llvm::BasicBlock *Over,
                llvm::function_ref<llvm::Value *(const StartValue &)> Then);
  void startHeld(llvm::GlobalVariable *Loop, llvm::BasicBlock *Apart);
  void startFirst(llvm::GlobalVariable *Loop, llvm::BasicBlock *Start,
                  llvm::BasicBlock *Apart);
  bool startLimited(llvm::GlobalVariable *Loop, llvm::BasicBlock *Apart);
  void leave(llvm::IRBuilderBase &B, llvm::AllocaInst *Own,
             llvm::CallInst *Call);
};

} // namespace asyncmem

#endif
