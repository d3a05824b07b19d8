// SPDX-License-Identifier: Apache-2.0
// Comparisons of blocks of remote memory by memcmp or bcmp, which would wait for
// it where they are.

#ifndef ASYNCMEM_BLOCKCOMPARES_H
#define ASYNCMEM_BLOCKCOMPARES_H

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Analyses that hold afterwards, too.
struct CompareAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::AssumptionCache &AC;
};

/// Makes loads of 1, 2, 4 or 8 bytes of comparisons in \p L of at most a cache
/// line, of which a side is remote; with \p NeedsAligned (requests of the AMU) only
/// where what is remote is aligned, which the program finds out where nobody knows.
/// \returns true if there was one.
bool splitCompares(llvm::Loop &L, llvm::Function &F, bool NeedsAligned,
                   const CompareAnalyses &Analyses);

} // namespace asyncmem

#endif
