// SPDX-License-Identifier: Apache-2.0
// Context of a task: the values that live across a suspension, kept in a frame
// of fixed layout, an array of bytes with offsets (the paper's Alloca Block).
//
// Algorithm: values live across suspensions are found by liveness. Cheap ones whose operands
// are kept anyway are computed again; the others become webs (BodyGraph.h), whose saves and
// reloads Placement.h finds. Offsets go by alignment, then by how deep in loops accesses are;
// variables that the frame never holds at one time share a place.
// With fresh frames each suspension allocates a frame for what lives across it, saves all of
// that, and gives it back once it has reloaded it.
//
//   i = ...; wait; use(i);   ->   frame->i = i; wait; use(frame->i);

#ifndef ASYNCMEM_FRAME_H
#define ASYNCMEM_FRAME_H

#include "tasks/Placement.h"
#include <functional>
#include <optional>

namespace asyncmem {

/// Steps, in this order: sinkPrivateAddresses, rematerialize, layout, emit.
class Frame {
public:
  using FramePointer = std::function<llvm::Value *(llvm::IRBuilderBase &)>;

  /// \p HeaderBytes at offset 0 belong to the scheduler. \p Blocks grows.
  Frame(llvm::Function &F, llvm::SmallVectorImpl<llvm::BasicBlock *> &Blocks,
        llvm::ArrayRef<Suspension> Suspensions,
        llvm::ArrayRef<llvm::AllocaInst *> PrivateMemory, unsigned HeaderBytes,
        bool IsFresh);

  /// Recomputes an address in a private variable at each use, so that no
  /// address in a frame is ever kept in a frame.
  void sinkPrivateAddresses();

  /// Recomputes cheap values at their uses when all they need is kept anyway.
  void rematerialize();

  /// Joins values in variables, places their saves and reloads and assigns
  /// offsets. After it size(), valueCount() and frequencies() are known.
  void layout();

  /// Saves and reloads the variables as placed, and moves private variables
  /// into the frame. \p Where is the location of all that.
  void emit(Variables &Vars, const FramePointer &Pointer,
            const llvm::DebugLoc &Where);

  /// Bytes of one frame, a multiple of alignment().
  unsigned size() const { return Size; }
  unsigned alignment() const { return Alignment; }
  unsigned valueCount() const { return Fields.size(); }
  /// How often each suspension happens in an iteration.
  llvm::ArrayRef<double> frequencies() const { return Frequencies; }

private:
  using Crossings = llvm::MapVector<llvm::Instruction *, llvm::BitVector>;

  /// A variable and where it lies in the frame.
  struct Field {
    Web Values;
    Placement Accesses;
    unsigned Offset = 0;
    /// The variable while it is in a register.
    llvm::AllocaInst *Current = nullptr;
  };

  llvm::Function &F;
  llvm::SmallVectorImpl<llvm::BasicBlock *> &Blocks;
  llvm::ArrayRef<Suspension> Suspensions;
  llvm::ArrayRef<llvm::AllocaInst *> PrivateMemory;
  unsigned HeaderBytes;
  bool IsFresh;
  unsigned Size = 0;
  unsigned Alignment = 8;
  llvm::SmallVector<Field, 8> Fields;
  llvm::SmallVector<double, 8> Frequencies;
  /// Where the frame has the address of the fresh one.
  unsigned FreshOffset = 0;
  llvm::DenseMap<llvm::AllocaInst *, unsigned> MemoryOffset;
  /// Address of the current frame.
  llvm::AllocaInst *Base = nullptr;
  llvm::DebugLoc Part;

  /// Value to the set of suspensions it lives across.
  Crossings findCrossings() const;
  bool isCheap(llvm::Instruction *V, const Crossings &Live,
               const llvm::BitVector &Needed, unsigned Budget) const;
  llvm::Instruction *cloneAt(llvm::Instruction *V, llvm::Instruction *Position,
                             const Crossings &Live) const;
  void splitCriticalEdges();
  void assignOffsets(const BodyGraph &Graph);
  llvm::Value *address(llvm::IRBuilderBase &Builder, unsigned Offset) const;
  llvm::Instruction *positionOn(const FlowEdge &E) const;
  static bool livesAcross(const llvm::Value *V, unsigned S,
                          const Crossings &Live);
  std::optional<unsigned> keptAt(const llvm::Value *V, unsigned S,
                                 const Crossings &Live) const;
  void readVariables(Field &V);
  void defineVariables(Field &V);
  void save(Field &V, llvm::Instruction *Before);
  void reload(Field &V, llvm::Instruction *Before);
  void erasePhis(Field &V);
  void emitFresh(unsigned S, const Crossings &Live);
  void moveMemory();
};

} // namespace asyncmem

#endif
