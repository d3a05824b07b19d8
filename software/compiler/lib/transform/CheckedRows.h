// SPDX-License-Identifier: Apache-2.0
// Accesses of inner loops that the checker need not follow one by one: each
// iteration surely uses the next place of a row, and it is known in front of the
// loop how many there are.

#ifndef ASYNCMEM_CHECKEDROWS_H
#define ASYNCMEM_CHECKEDROWS_H

#include "analysis/CheckedAccesses.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <map>

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

struct RowAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
};

/// What an access reaches in the iterations of \p L.
struct CheckedRow {
  llvm::Loop *L;
  const llvm::SCEV *Start;
  const llvm::SCEV *Step;
  /// If it is not null, the place is Start and Step times an index of 32 bits, which
  /// begins here, grows or falls (IndexStep) by one, and may wrap around.
  const llvm::SCEV *Index = nullptr;
  int IndexStep = 1;
  /// How many bytes in sequence an iteration uses, if it is not what the access does.
  const llvm::SCEV *Bytes = nullptr;
  /// If it is not null, an inner loop runs only if this is EntersIf.
  llvm::Value *Guard = nullptr;
  bool EntersIf = true;
};

/// A part of a row that does not wrap around.
struct RowPiece {
  llvm::Value *Place, *Bytes, *Step;
  /// Of these iterations.
  llvm::Value *First, *Count;
};

class RowFinder {
public:
  explicit RowFinder(const RowAnalyses &Analyses);

  /// \returns the row of \p A, which is \p Within that loop or one inside it: of
  /// the outermost loop that has one.
  std::optional<CheckedRow> find(const CheckedAccess &A, llvm::Loop &Within);

  /// Computes in front of its loop what the row consists of.
  llvm::SmallVector<RowPiece, 2> expand(const CheckedAccess &A,
                                        const CheckedRow &Row);

private:
  RowAnalyses Analyses;
  llvm::SCEVExpander Expander;
  /// For each loop how often it repeats, null if its rows are not known.
  std::map<llvm::Loop *, const llvm::SCEV *> Repeats;

  const llvm::SCEV *repeatsOf(llvm::Loop &L);
  const llvm::SCEV *findRepeats(const llvm::Loop &L);
  std::optional<CheckedRow> rowOf(const llvm::SCEV *Place, llvm::Loop &L);
  std::optional<CheckedRow> rowIn(llvm::Loop &L, const CheckedAccess &A);
  std::optional<CheckedRow> rowOfRows(const CheckedRow &Row,
                                      const CheckedAccess &A);
  bool canExpand(const CheckedRow &Row);
  bool isShort(const llvm::SCEV *Iterations);
  bool findIndex(const llvm::SCEV *S, CheckedRow &Row);
  bool canExpand(const llvm::SCEV *S, const llvm::Loop &L);
};

} // namespace asyncmem

#endif
