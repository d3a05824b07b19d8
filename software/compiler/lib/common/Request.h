// SPDX-License-Identifier: Apache-2.0
// What a task waits for: accesses of remote memory, the requests that serve them, each
// for the bytes of one or several, and strips of iterations whose requests are made
// at once.

#ifndef ASYNCMEM_REQUEST_H
#define ASYNCMEM_REQUEST_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>
#include <optional>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace asyncmem {

// Loads, stores and atomic operations alike, and how far they are from each other.

/// Pointer, value type, its size and alignment of any load, store or atomic operation.
llvm::Value *accessPointer(const llvm::Instruction *Access);
llvm::Type *accessType(const llvm::Instruction *Access);
unsigned accessBytes(const llvm::Instruction *Access);
llvm::Align accessAlignment(const llvm::Instruction *Access);

/// \returns what \p S is if it is a constant of 32 bits.
std::optional<int64_t> smallConstant(const llvm::SCEV *S);

/// \returns how far \p To is behind \p From, if that is such a constant.
std::optional<int64_t> constantDistance(const llvm::Value *From,
                                        const llvm::Value *To,
                                        llvm::ScalarEvolution &SE);

/// \returns what \p S grows by in each iteration of \p L, if that is such a constant.
std::optional<int64_t> constantStep(const llvm::SCEV *S, const llvm::Loop &L,
                                    llvm::ScalarEvolution &SE);

/// What a restrict pointer of a function is apart from, once the function has been
/// inlined: only as long as the declaration of that is not executed again.
using AliasScopes = llvm::SmallPtrSet<const llvm::Metadata *, 4>;

/// Adds those that \p I declares.
void addScopes(const llvm::Instruction &I, AliasScopes &Scopes);

/// \returns where \p Access, or a block that is written, may lie at any time, while
/// the scopes that are declared anew are \p Declared, or those of \p Blocks.
llvm::MemoryLocation anyPlace(const llvm::Instruction &Access,
                              const AliasScopes &Declared);
llvm::MemoryLocation anyPlace(const llvm::Instruction &Access,
                              llvm::ArrayRef<llvm::BasicBlock *> Blocks);

// Some iterations of an inner loop that follow each other, a strip, whose loads
// are requested at once (StripRequests.cpp).

/// A step of the computation of an iteration's addresses, to be copied for each.
struct StripOperation {
  llvm::WeakTrackingVH Operation;
  /// Of an element of a row (TaskRow): its row, its address, and what that grows by
  /// in an iteration. The scheduler replaces the load by one from the slot.
  std::optional<unsigned> Row;
  llvm::WeakTrackingVH Pointer;
  int64_t Step = 0;
  llvm::Align Alignment;
  /// The row's place in the slot, once there are tasks.
  unsigned SlotOffset = 0, SlotBytes = 0;
};

/// Where the first iteration's part of a request is in the slot, for a load, and
/// which iteration of the strip the load belongs to.
struct StripLoad {
  llvm::LoadInst *Load;
  unsigned Request, Offset;
  llvm::WeakTrackingVH Index;
};

struct Strip {
  /// Values that grow by a constant in each iteration: phis of its header.
  llvm::SmallVector<std::pair<llvm::PHINode *, int64_t>, 2> Counters;
  /// Operands first.
  llvm::SmallVector<StripOperation, 8> Operations;
  /// Elements of other rows, which each iteration loads before: a strip ends where
  /// what the slot has of them ends.
  llvm::SmallVector<StripOperation, 1> Beside;
  /// What may write in words that later iterations load, or in elements that
  /// their addresses come from.
  llvm::SmallSetVector<llvm::StoreInst *, 2> Stores;
  /// Those of them that come before the loads in an iteration.
  llvm::SmallPtrSet<const llvm::StoreInst *, 2> Before;
  /// How often the inner loop is repeated, as it is planned; in front of it: keeps
  /// that number.
  const llvm::SCEV *RepeatCount = nullptr;
  llvm::StoreInst *Repeats = nullptr;

  /// From here on set when the loop is taken apart (StripBuffers.cpp): variables for
  /// how many iterations of the strip have begun, how many it has, and how many of
  /// the inner loop follow the last one of them.
  llvm::AllocaInst *Begun = nullptr, *All = nullptr, *Left = nullptr;
  llvm::SmallVector<StripLoad, 2> Loads;
  /// How many iterations the strip has.
  llvm::WeakTrackingVH Count;
  /// Comparisons that are true where a strip begins, false inside one.
  llvm::SmallVector<llvm::WeakVH, 2> Tests;

  /// Copies to \p Values what computes the addresses of the iteration that comes
  /// \p Later than this one; \p Read makes an element of its row and address.
  void copyOperations(
      llvm::IRBuilderBase &B, llvm::Value *Later,
      llvm::ValueToValueMapTy &Values,
      llvm::function_ref<llvm::Value *(const StripOperation &, llvm::Value *)>
          Read) const;
};

// What a task waits for: requests, each for the bytes of one or several accesses.

/// Addresses and slot offsets of requests are aligned to that much at most
/// (contract, rule 9).
inline constexpr unsigned WordBytes = 8;

/// One access served by a request, \p Offset bytes behind its first byte.
struct AccessPart {
  llvm::Instruction *Access;
  unsigned Offset;
};

/// 2^SizeLog2 bytes of remote memory, loaded or stored as a whole.
struct Request {
  llvm::SmallVector<AccessPart, 2> Parts;
  unsigned SizeLog2 = 0;
  /// Bytes up to the end of the last part.
  unsigned UsedBytes = 0;
  /// Place of the bytes in the task's slot.
  unsigned SlotOffset = 0;
  /// Known alignment of the first byte's address.
  llvm::Align Alignment;
  /// Of a record (RecordRequests.cpp): the bytes that are fetched even where the
  /// request would leave its page, as the iteration surely reads both ends.
  unsigned SureBegin = 0;
  unsigned SureEnd = 0;
  /// Where a piece of such a request begins, from its begin.
  unsigned Skipped = 0;

  unsigned bytes() const { return 1u << SizeLog2; }
  bool isStore() const {
    return llvm::isa<llvm::StoreInst>(Parts.front().Access);
  }
  /// The alignment that its address must have.
  llvm::Align neededAlignment() const {
    return llvm::Align(std::min(bytes(), WordBytes));
  }
  /// A request may not leave its 4 KiB page and must be aligned (contract, rule
  /// 9). Where that is not known, it is compared when the program runs, and
  /// each access has a request of its own if it is not so.
  bool mayNeedPieces() const { return Alignment.value() < bytes(); }
  /// Address of the first byte.
  llvm::Value *pointer(llvm::IRBuilderBase &B) const;
  /// \returns whether its bytes lie in two pages. \p Address has the low bits of its
  /// address, \p Limit is pageLimit() of its size.
  static llvm::Value *crossesPage(llvm::IRBuilderBase &B, llvm::Value *Address,
                                  llvm::Value *Limit);
  /// The last place in a page where so many bytes fit, in the highest bits.
  static uint64_t pageLimit(unsigned Bytes);
};

/// Bytes of a record in the slot, counted from its begin.
struct HeldBytes {
  unsigned Record;
  unsigned Begin;
  unsigned End;
  /// They are there unless the record crosses the end of a page.
  bool MayCross;
};

/// A block of a row that is requested together with a group, if it is wanted. Then
/// the row's variable becomes \p Moved, if there is that.
struct NextBlock {
  llvm::WeakTrackingVH Wanted, Address, Moved;
  llvm::AllocaInst *Known;
  /// Where the row's blocks begin in the slot, and how large one of the two is.
  unsigned SlotOffset, Bytes;

  /// Where the block at \p Address lies behind that place.
  static llvm::Value *place(llvm::IRBuilderBase &B, llvm::Value *Address,
                            unsigned Bytes) {
    return B.CreateAnd(Address, Bytes);
  }
};

/// What a task waits for at one suspension: consecutive accesses of one block.
struct AccessGroup {
  llvm::SmallVector<Request, 2> Requests;
  /// Stores that are not waited for while another iteration follows, and the
  /// group that it begins with, which finishes together with them
  /// (Coalesce.cpp).
  bool IsCarried = false;
  bool CompletesCarried = false;
  /// The call that releases the lock under which carried stores are. While another
  /// iteration follows, its first group does that: the lock is in Locked until
  /// then.
  llvm::CallInst *Release = nullptr;
  llvm::AllocaInst *Locked = nullptr;
  llvm::Value *HeldLock = nullptr;
  /// The row of the loop (TaskRow) that its one request fetches a block of, and,
  /// when the request has a place of its own, the loads of elements.
  std::optional<unsigned> Row;
  llvm::SmallVector<llvm::LoadInst *, 2> RowLoads;
  /// The header of the inner loop that the element is in, and other loads of elements
  /// known to lie there, with their places in the block (StripLoops.cpp).
  llvm::BasicBlock *RowHeader = nullptr;
  llvm::SmallVector<std::pair<llvm::LoadInst *, llvm::Value *>, 1> RowReads;
  /// The record of the loop (TaskRecord) that its one request fetches.
  std::optional<unsigned> Record;
  /// Its accesses may lie in a record that the task has in its slot.
  std::optional<HeldBytes> Held;
  /// Of a row that has two blocks: which one is requested, in bytes behind the
  /// first one.
  llvm::WeakTrackingVH RowPlace;
  std::optional<NextBlock> Next;
  /// The strip of an inner loop for whose iterations it is requested at once, and
  /// for how many at most; that many times it is in the slot.
  std::shared_ptr<asyncmem::Strip> Strip;
  unsigned Length = 1;

  bool mayNeedPieces() const {
    return llvm::any_of(Requests,
                        [](const Request &R) { return R.mayNeedPieces(); });
  }
  unsigned accessCount() const {
    unsigned Count = 0;
    for (const Request &R : Requests)
      Count += R.Parts.size();
    return Count;
  }
  /// The same accesses in the same places of the slot, a request for each.
  AccessGroup separate() const;
  /// The accesses in the order of the block.
  llvm::SmallVector<llvm::Instruction *, 4> accesses() const;
  /// Bytes of the task's slot that the group uses.
  unsigned slotBytes() const;
};

/// Operands of llvm.prefetch: keep in all caches; data, not instructions.
inline constexpr unsigned HighLocality = 3;
inline constexpr unsigned DataCache = 1;

/// \returns the call of llvm.prefetch behind which a task waits, if \p Access,
/// the first one of its group, is such a call.
llvm::CallInst *rowPrefetch(llvm::Instruction *Access);

} // namespace asyncmem

#endif
