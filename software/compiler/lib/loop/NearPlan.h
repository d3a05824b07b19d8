// SPDX-License-Identifier: Apache-2.0
// Remote accesses that prefetching tasks do not wait for, and the prefetches that
// they rely on instead (requests/NearLines.h).

#ifndef ASYNCMEM_NEARPLAN_H
#define ASYNCMEM_NEARPLAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

/// Line: an access before it waits for the line. Stream: the address advances
/// evenly. Overlap: the core overlaps it with other ones.
enum class NearReason { Line, Stream, Overlap };

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

} // namespace asyncmem

#endif
