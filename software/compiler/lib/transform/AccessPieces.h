// SPDX-License-Identifier: Apache-2.0
// Remote accesses that no request can make as a whole: copies and fills of a
// block, and on the AMU accesses of more than 8 bytes or at any address.

#ifndef ASYNCMEM_ACCESSPIECES_H
#define ASYNCMEM_ACCESSPIECES_H

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace asyncmem {

/// Splits such accesses of \p L into loads and stores of 1, 2, 4 or 8 bytes;
/// with \p NeedsAligned (requests of the AMU) into aligned ones. Blocks of
/// unknown or greater length stay.
void splitIntoPieces(llvm::Loop &L, llvm::Function &F, bool NeedsAligned);

} // namespace asyncmem

#endif
