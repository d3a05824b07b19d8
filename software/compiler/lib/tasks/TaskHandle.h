// SPDX-License-Identifier: Apache-2.0
// The two words of AMU instructions: what stands for the current task, its ID or
// task word, with the places of frame and slot that follow from it; and addresses of
// requests with their size and resume target (contract, "Encoding").
//
// Algorithm: with bafin the task word has the address of the frame, or of the slot, in its
// low bits and the ID above them; where frame and slot are equally large, one lies at a fixed
// distance from the other. With getfin frame and slot lie at the ID times their size, a power
// of two, behind a base that a register keeps.
//
//   aload(address | size | target, ID | place in the slot)

#ifndef ASYNCMEM_TASKHANDLE_H
#define ASYNCMEM_TASKHANDLE_H

#include "tasks/Scheduler.h"
#include <optional>

namespace asyncmem {

/// Which task of the AMU runs, and what belongs to it. The handle is the ID for getfin, the
/// task word for bafin. ID, frame and slot are each computed from it by one or two
/// operations where they are needed, so that data read from the slot depends on the
/// instruction that took the finished group (contract, rule 6).
class TaskHandle {
public:
  /// Slots of \p SlotBytes, a power of two, lie in the SPM at \p SpmAddress.
  /// What is computed once goes to the end of \p Init.
  TaskHandle(Variables &Vars, llvm::BasicBlock *Init, bool IsTaskWord,
             uint64_t SpmAddress, unsigned SlotBytes);

  /// Tells the AMU where frames and slots lie. IDs start at 1, so
  /// \p HandlerBase is one frame, \p HandlerBytes, below the first one.
  void configure(llvm::IRBuilderBase &B, llvm::Value *HandlerBase,
                 unsigned HandlerBytes) const;

  /// If frames are as large as slots can be, one begins at a fixed distance from
  /// the other: one operation less. With \p SlotsFirst task words hold the
  /// address of the slot, else that of the frame, which a launch needs alone.
  /// Called when frames have their size and before the AMU is told anything;
  /// fewer bytes than before a slot never gets.
  void uniteWithFrames(llvm::BasicBlock *Init, llvm::Value *HandlerBase,
                       unsigned HandlerBytes, unsigned Tasks, bool SlotsFirst);

  /// Makes the task whose handle the AMU returned the current one.
  /// Comes behind uniteWithFrames.
  void set(llvm::IRBuilderBase &B, llvm::Value *Finished) const;

  /// Makes the task \p Id, which never waited, the current one.
  void start(llvm::IRBuilderBase &B, llvm::Value *Id, llvm::Value *HandlerBase,
             unsigned HandlerBytes) const;

  llvm::Value *id(llvm::IRBuilderBase &B);

  /// Address of the frame. Without task words \p HandlerBytes is a power of two.
  llvm::Value *frame(llvm::IRBuilderBase &B, llvm::Value *HandlerBase,
                     unsigned HandlerBytes);

  /// Address \p Bytes behind the start of the slot.
  llvm::Value *slot(llvm::IRBuilderBase &B, unsigned Bytes) const;
  llvm::Align slotAlignment(unsigned Bytes) const;
  /// All loads and stores at such addresses; nothing if these have other uses.
  std::optional<llvm::SmallVector<llvm::Instruction *, 16>>
  slotAccesses() const;

private:
  bool IsTaskWord;
  unsigned SlotShift;
  llvm::AllocaInst *Handle;
  /// Where the task's slot starts; computed where the task resumes, so that an
  /// inner loop that it may resume in does not do so again and again.
  llvm::AllocaInst *SlotStart;
  llvm::Value *SpmBase;
  llvm::Value *AddressMask = nullptr;
  /// Distance from frames to slots, or with HoldsSlot from slots to frames, if it
  /// is the same for all tasks.
  llvm::Value *Distance = nullptr;
  /// What depends on the size of slots: shifts to the ID and frames.
  llvm::SmallVector<llvm::WeakVH, 8> Ids, Frames;
  /// A task word holds the address of the slot.
  bool HoldsSlot = false;

  llvm::Value *get(llvm::IRBuilderBase &B) const;
};

/// The address words of one loop's requests. What does not change from task to
/// task is computed once, at the end of Init, and kept in a register.
class AddressWords {
public:
  /// \p HasTargets: the words name the block at which the task resumes.
  AddressWords(llvm::Function &F, const TaskBlocks &Blocks, bool HasTargets)
      : F(F), Blocks(Blocks), HasTargets(HasTargets) {}

  /// The word of a request of 2^\p SizeLog2 bytes at \p Pointer, for which the
  /// task waits at \p S.
  llvm::Value *get(llvm::IRBuilderBase &B, llvm::Value *Pointer,
                   const Suspension &S, unsigned SizeLog2);

  /// The same for a place that is rarely reached: no register is spent on it.
  llvm::Value *computeHere(llvm::IRBuilderBase &B, llvm::Value *Pointer,
                           const Suspension &S, unsigned SizeLog2);

  /// The word without an address, computed here, too.
  llvm::Value *computeBits(llvm::IRBuilderBase &B, const Suspension &S,
                           unsigned SizeLog2);

  /// The address to which the targets in all words are relative; known after
  /// the first word.
  llvm::Value *targetBase(llvm::IRBuilderBase &B) const {
    return blockAddress(B, FirstTarget);
  }

private:
  llvm::Function &F;
  const TaskBlocks &Blocks;
  bool HasTargets;
  llvm::BasicBlock *FirstTarget = nullptr;
  /// Size and target of each request, in a register.
  llvm::DenseMap<std::pair<llvm::BasicBlock *, unsigned>, llvm::Value *> Bits;
  /// The same with a fixed address added to it.
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *>
      FixedWords;

  llvm::Value *bits(const Suspension &S, unsigned SizeLog2);
  bool isDefinedBeforeInit(llvm::Value *V) const;
  llvm::Value *blockAddress(llvm::IRBuilderBase &B, llvm::BasicBlock *BB) const;
};

} // namespace asyncmem

#endif
