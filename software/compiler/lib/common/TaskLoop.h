// SPDX-License-Identifier: Apache-2.0
// What AsyncSplit must know of a marked loop before it changes anything: its
// shape, its remote accesses and the class of every value that one iteration
// hands to the next (the paper's section III-B); and, with prefetches, which accesses
// tasks do not wait for (requests/NearLines.cpp).

#ifndef ASYNCMEM_TASKLOOP_H
#define ASYNCMEM_TASKLOOP_H

#include "common/Request.h"
#include <optional>
#include <string>

namespace llvm {
class AAResults;
} // namespace llvm

namespace asyncmem {

/// Line: an access before it waits for the line. Stream: the address advances
/// evenly.
enum class NearReason { Line, Stream };

struct NearAccess {
  llvm::Instruction *Access;
  NearReason Why;
};

/// Prefetches for an access of an inner loop, of which each iteration takes the
/// next element.
struct RowPrefetch {
  llvm::Instruction *Access;
  llvm::Loop *Inner;
  /// The end of the block in front of the inner loop.
  llvm::Instruction *Entry;
  /// Bytes from one line to the next one, negative if the row goes down.
  int64_t Line;
  /// A task waits at Entry for the first line: until the prefetches are there, Entry
  /// stands for the access in the group. Else a stream has the first lines.
  bool Waits;
};

/// Prefetches ahead of the tasks that need what they fetch.
struct StreamPrefetch {
  /// They come in front of it.
  llvm::Instruction *Position;
  /// Where they count from: an address at Position, or null and the first element of
  /// a row.
  llvm::Value *Pointer;
  std::optional<unsigned> Row;
  llvm::SmallVector<int64_t, 2> Offsets;
};

struct NearPlan {
  llvm::SmallVector<NearAccess, 8> Accesses;
  llvm::SmallVector<RowPrefetch, 2> Rows;
  llvm::SmallVector<StreamPrefetch, 4> Streams;
};

/// A shared value: updated by tasks in any order with one commutative
/// operation, so tasks keep it in one place and no context holds it.
struct SharedUpdate {
  llvm::PHINode *Phi;
  /// The operations, in the loop's order; each has one operand of the chain.
  llvm::SmallVector<llvm::Instruction *, 4> Updates;
  /// Phi, updates and inner phis: every value the variable takes in the loop.
  llvm::SmallSetVector<llvm::Instruction *, 8> Chain;
};

/// Loads and stores of one remote word in an iteration, where the loads decide
/// what is stored, or whether.
struct RemoteUpdate {
  /// Runs before all others.
  llvm::LoadInst *First;
  llvm::SmallVector<llvm::StoreInst *, 2> Stores;
};

/// A block of memory in the slot, for loads that lie in sequence.
struct TaskRow {
  /// Those of one inner loop are at known distances from each other.
  llvm::SmallVector<llvm::LoadInst *, 2> Loads;
  /// What the iteration may write in it.
  llvm::SmallSetVector<llvm::StoreInst *, 2> Stores;
  unsigned BlockBytes = 0;
  /// Place of the block in the task's slot.
  unsigned SlotOffset = 0;
  /// The strip whose addresses come from the row's one load: the next block can be
  /// requested before it is used, if the slot has two, HasNext.
  std::shared_ptr<asyncmem::Strip> Strip;
  bool HasNext = false;
  /// Once there are tasks: where they keep the address of the block they have, or
  /// of the first of two. Of the second they have what the inner loop will read.
  llvm::AllocaInst *Known = nullptr;

  /// Bytes of the slot; an element lies where its address modulo these says.
  unsigned slotBytes() const { return HasNext ? 2 * BlockBytes : BlockBytes; }
};

/// A load from bytes that are in the slot.
struct RecordField {
  llvm::WeakVH Load;
  unsigned Offset;
};

/// Bytes around an access, in the slot until the iteration has read its fields.
struct TaskRecord {
  unsigned Bytes = 0;
  unsigned SlotOffset = 0;
  /// They never wait.
  llvm::SmallVector<RecordField, 4> Fields;
};

/// An instruction that moves in front of another one of its block.
struct Move {
  llvm::Instruction *I;
  llvm::Instruction *Position;
};

/// A way out of the loop.
struct ExitEdge {
  llvm::BasicBlock *From;
  llvm::BasicBlock *To;
};

/// Whether tasks or the core wait for an access.
struct AccessVerdict {
  llvm::DebugLoc Where;
  bool IsRemote;
  /// The core may wait, as nothing says where the address leads.
  bool IsWaiting;
  /// Then of a load whose address comes out of remote data.
  bool IsForgotten;
  std::string Why;
};

/// A marked loop: one entry, one latch, any number of exits.
struct TaskLoop {
  llvm::Loop *L = nullptr;
  llvm::BasicBlock *Preheader = nullptr;
  llvm::BasicBlock *Header = nullptr;
  llvm::BasicBlock *Latch = nullptr;
  llvm::SmallVector<ExitEdge, 2> Exits;
  /// Set if the latch alone leaves the loop.
  llvm::Value *ContinueCondition = nullptr;
  /// The loop repeats when the condition has this value.
  bool ContinueOnTrue = true;
  /// Blocks of the loop in reverse post order.
  llvm::SmallVector<llvm::BasicBlock *, 16> Blocks;

  /// Remote loads and stores, in block order.
  llvm::SmallVector<llvm::Instruction *, 8> Remote;
  /// Remote accesses that on some path reach an object without a mark instead.
  llvm::SmallVector<std::pair<llvm::Instruction *, const llvm::Value *>, 2>
      UnmarkedObjects;
  /// What is said of each access, if somebody reads it.
  llvm::SmallVector<AccessVerdict, 0> Verdicts;
  /// What marks that are gone say to be near.
  llvm::SmallVector<llvm::WeakTrackingVH, 2> SaidNear;
  /// Calls that read remote memory, for which the core waits.
  llvm::SmallVector<llvm::WeakVH, 2> ReadingCalls;
  /// Locks or atomic operations order accesses of different iterations.
  bool Synchronizes = false;
  llvm::SmallVector<TaskRow, 2> Rows;
  llvm::SmallVector<TaskRecord, 2> Records;
  /// Accesses at which tasks wait, in block order.
  llvm::SmallVector<AccessGroup, 8> Groups;
  /// Moves, one after the other, by which the accesses of groups come together.
  llvm::SmallVector<Move, 8> Moves;
  /// With prefetches: which accesses need no wait.
  NearPlan Near;
  /// Remote accesses whose words a clause says no two iterations update, or may.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Promised;
  /// Those of them for which it says that they may.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Lossy;
  /// Updates that no task may come between: other iterations may update the
  /// same word.
  llvm::SmallVector<RemoteUpdate, 2> Updates;
  /// The table of locks of remote words, if one is needed (Ownership.cpp).
  llvm::GlobalVariable *Owners = nullptr;
  /// Local variables of the loop body that live in memory.
  llvm::SmallVector<llvm::AllocaInst *, 4> PrivateMemory;
  /// Header phis whose next value is computed before a task is launched.
  llvm::SmallVector<llvm::PHINode *, 4> Sequential;
  /// Instructions that compute next values and decide whether the loop is left.
  llvm::SmallPtrSet<llvm::Instruction *, 16> Slice;
  /// Remote loads of the slice whose results tasks get from launch; they are
  /// not in Remote.
  llvm::SmallVector<llvm::LoadInst *, 2> LaunchLoads;
  llvm::SmallVector<SharedUpdate, 4> Shared;
  /// Stores that keep a shared value's place in memory up to date.
  llvm::SmallVector<llvm::StoreInst *, 2> SharedStores;

  /// Adds blocks that were made from \p Behind.
  void addBlocks(llvm::BasicBlock *Behind,
                 llvm::ArrayRef<llvm::BasicBlock *> New) {
    Blocks.insert(std::next(llvm::find(Blocks, Behind)), New.begin(),
                  New.end());
  }

  bool leavesAtLatch() const { return ContinueCondition; }

  bool isRemote(const llvm::Instruction *I) const {
    return llvm::is_contained(Remote, I);
  }
};

/// Leads \p Exit of \p T over a block of its own, named \p Name, which has a phi for
/// each of those of the exit. \returns the block.
llvm::BasicBlock *splitExit(const TaskLoop &T, ExitEdge &Exit,
                            const llvm::Twine &Name);

/// What an instruction is to a search among those that a value is computed from.
enum class Origin { Found, Ends, GoOn };

/// \returns true if \p Judge finds an instruction that one iteration of \p T computes
/// \p V from.
bool comesFrom(const TaskLoop &T, llvm::Value *V,
               llvm::function_ref<Origin(llvm::Instruction &)> Judge);

/// \returns true if something in the loop of \p T may write at \p Place.
bool mayWrite(const TaskLoop &T, const llvm::MemoryLocation &Place,
              llvm::AAResults &AA);

/// Deletes the instructions of the loop that nothing needs.
void removeDeadInstructions(TaskLoop &T);

} // namespace asyncmem

#endif
