// SPDX-License-Identifier: Apache-2.0
// Code generation of the Alloca, Init, Schedule and Return blocks (the paper's
// figure 6), one subclass for each way to choose the next task; and what it shares with
// the code of tasks: the blocks of the transformed loop, the places where tasks wait,
// and variables that become SSA values at the end.
//
// Algorithm: a task suspends by a jump to Schedule, which chooses a task and jumps to where it
// waits: StaticScheduler takes the next frame of a ring, AmuScheduler the task whose requests
// have finished, and starts one more where none has. Return hands a finished task's place to
// the next iteration, or takes the place away if there is none.
//
//   before: br after   ->   before: request; br schedule     schedule: ...; indirectbr after

#ifndef ASYNCMEM_SCHEDULER_H
#define ASYNCMEM_SCHEDULER_H

#include "common/Options.h"
#include "common/Request.h"
#include <functional>
#include <memory>

namespace asyncmem {

/// One place where a task waits: \p Before ends with the request, \p After is
/// entered by the scheduler and starts with the data. Until the scheduler is
/// emitted, Before branches to After.
struct Suspension {
  llvm::BasicBlock *Before;
  llvm::BasicBlock *After;
  /// How often it happens, in executions an iteration.
  double Frequency = 1;
};

/// The blocks around the task code. Entry state: Init is entered once with all
/// sequential and shared variables set; Launch computes the next iteration's
/// values, then runs the task of the current handler; a finished task branches
/// to Return; Finalize runs when no task is left.
struct TaskBlocks {
  llvm::BasicBlock *Init;
  llvm::BasicBlock *Launch;
  llvm::BasicBlock *Schedule;
  llvm::BasicBlock *Return;
  llvm::BasicBlock *Finalize;
  /// The code of the tasks; grows while suspensions are added.
  llvm::SmallVectorImpl<llvm::BasicBlock *> *Body;

  /// Adds blocks that were made from \p Behind to the code of the tasks.
  void addToBody(llvm::BasicBlock *Behind,
                 llvm::ArrayRef<llvm::BasicBlock *> New) const {
    Body->insert(std::next(llvm::find(*Body, Behind)), New.begin(), New.end());
  }
};

/// Variables of the generated code that are assigned in several places. They
/// are allocas until the control flow is complete, then become SSA values.
class Variables {
public:
  explicit Variables(llvm::Function &F) : F(F) {}

  llvm::AllocaInst *create(llvm::Type *Ty, const llvm::Twine &Name);
  void add(llvm::AllocaInst &Variable) { Allocas.push_back(&Variable); }
  llvm::ArrayRef<llvm::AllocaInst *> all() const { return Allocas; }

private:
  llvm::Function &F;
  llvm::SmallVector<llvm::AllocaInst *, 16> Allocas;
};

/// \p V as a value the optimizer knows nothing of: computed where \p Builder
/// stands and kept in a register, neither moved nor built anew at each use. Where
/// no register is as wide, \p V itself.
llvm::Value *keepInRegister(llvm::IRBuilderBase &Builder, llvm::Value *V);

/// No code, behind which a block ends that passes shall not join with the end of
/// another one.
void keepEndApart(llvm::IRBuilderBase &Builder);

class Scheduler {
public:
  /// Emits a question; the flag says that its place is rarely reached.
  using Condition = std::function<llvm::Value *(llvm::IRBuilderBase &, bool)>;

  /// Weights of a branch on a Condition: more iterations are launched than tasks
  /// end without a successor.
  static llvm::MDNode *launchWeights(llvm::LLVMContext &Context);

  virtual ~Scheduler() = default;

  /// Puts the requests of \p Group at the end of \p S.Before and the use of
  /// their results at the start of \p S.After, where its accesses stand. May
  /// split S.Before; its last part is S.Before then. \p More computes whether
  /// an iteration is left to launch.
  virtual void issue(const AccessGroup &Group, Suspension &S,
                     const Condition &More) = 0;

  /// Reads what a load reads at an offset behind a place in the slot.
  /// Prefetching tasks have no slot.
  virtual llvm::Value *readSlot(llvm::IRBuilderBase &, const llvm::LoadInst &,
                                unsigned, llvm::Value *) {
    llvm_unreachable("no slot to read from");
  }

  /// Replaces \p Call of asyncmem_lock by code that gets the lock, and waits at
  /// the returned suspension while another task has it.
  virtual Suspension lock(llvm::CallInst *Call) = 0;

  /// Replaces \p Call of asyncmem_unlock.
  virtual void unlock(llvm::CallInst *Call) = 0;

  /// Bytes at the start of a frame that the scheduler needs.
  virtual unsigned headerBytes(unsigned Suspensions) const = 0;

  /// Number of bytes between two frames, for a frame of \p FrameBytes.
  virtual unsigned frameStride(unsigned FrameBytes) const { return FrameBytes; }

  /// Address of the current task's frame.
  virtual llvm::Value *frame(llvm::IRBuilderBase &Builder) = 0;

  /// Allocates frames of \p FrameBytes; frame() may be used from here on.
  void allocateFrames(unsigned FrameBytes, unsigned FrameAlignment);

  /// Fills Init, Schedule and Return and sends every Before to Schedule.
  virtual void emit(llvm::ArrayRef<Suspension> Suspensions,
                    const Condition &More) = 0;

protected:
  Scheduler(unsigned Tasks, llvm::Function &F, const TaskBlocks &Blocks,
            Variables &Vars)
      : Tasks(Tasks), F(F), Blocks(Blocks), Vars(Vars) {}

  unsigned Tasks;
  llvm::Function &F;
  const TaskBlocks &Blocks;
  Variables &Vars;
  /// Frame array and distance of its elements, set by allocateFrames.
  llvm::AllocaInst *Frames = nullptr;
  unsigned Stride = 0;

  /// Stores the address to resume at in the frame's header, where the task
  /// suspends, if there is more than one such address.
  void saveResumeAddress(llvm::ArrayRef<Suspension> Suspensions);

  /// Jumps to where the task of the current frame waits.
  void dispatch(llvm::IRBuilderBase &Builder,
                llvm::ArrayRef<Suspension> Suspensions);

  /// Makes a suspension in front of \p Call, which becomes the start of
  /// \p Behind. Its block still jumps there, past the suspension.
  Suspension splitAtLock(llvm::CallInst *Call, llvm::BasicBlock *&Behind);

  /// Replaces "Before branches to After" by "Before branches to Schedule".
  void cutSuspensions(llvm::ArrayRef<Suspension> Suspensions);
};

/// Prefetching tasks.
std::unique_ptr<Scheduler> createStaticScheduler(unsigned Tasks,
                                                 llvm::Function &F,
                                                 const TaskBlocks &Blocks,
                                                 Variables &Vars);

/// Tasks of the AMU, with slots of \p SlotBytes.
std::unique_ptr<Scheduler> createAmuScheduler(const Options &Opts,
                                              unsigned Tasks, llvm::Function &F,
                                              const TaskBlocks &Blocks,
                                              Variables &Vars,
                                              unsigned SlotBytes);

} // namespace asyncmem

#endif
