// SPDX-License-Identifier: Apache-2.0
// Remote accesses that no request can make as a whole.
//
// 1. Copies and fills of a block become loads and stores of 1, 2, 4 or 8 bytes, and so
//    do, on the AMU, accesses of more than 8 bytes or at any address.
// 2. A comparison of two blocks of constant length, a cache line at most, becomes loads
//    and a comparison of the first pieces that differ.
//
//   memcmp(p, key, 16) == 0  ->  p[0] == key[0] && p[1] == key[1], words

#ifndef ASYNCMEM_ACCESSPIECES_H
#define ASYNCMEM_ACCESSPIECES_H

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Splits such accesses of \p L into loads and stores of 1, 2, 4 or 8 bytes;
/// with \p NeedsAligned (requests of the AMU) into aligned ones. Blocks of
/// unknown or greater length stay.
void splitIntoPieces(llvm::Loop &L, llvm::Function &F, bool NeedsAligned);

/// Analyses that hold afterwards, too.
struct CompareAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::AssumptionCache &AC;
};

/// Makes loads of 1, 2, 4 or 8 bytes of comparisons in \p L of at most a cache
/// line, of which a side is remote; with \p NeedsAligned (requests of the AMU) smaller
/// ones where what is remote is not aligned, which the program finds out where nobody knows.
/// \returns true if there was one.
bool splitCompares(llvm::Loop &L, bool NeedsAligned,
                   const CompareAnalyses &Analyses);

} // namespace asyncmem

#endif
