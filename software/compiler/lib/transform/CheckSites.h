// SPDX-License-Identifier: Apache-2.0
// Where the accesses that the checker watches are in the source: the table that
// the program hands to the runtime (asyncmem_check.h).

#ifndef ASYNCMEM_CHECKSITES_H
#define ASYNCMEM_CHECKSITES_H

#include "analysis/CheckedAccesses.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class Constant;
class DILocation;
class Module;
class StructType;
} // namespace llvm

namespace asyncmem {

class CheckSites {
public:
  /// What has no place of its own in the source is said to be at \p Pragma.
  CheckSites(llvm::Module &M, llvm::DebugLoc Pragma) : M(M), Pragma(Pragma) {}

  /// \returns the mark of the access, with the number of its site.
  uint32_t add(const CheckedAccess &A);

  /// \returns the name of the file, which may be unknown.
  llvm::Constant *file(const llvm::DILocation *Where);

  /// \returns all that were added.
  llvm::Constant *table();

private:
  llvm::Module &M;
  llvm::DebugLoc Pragma;
  llvm::SmallVector<llvm::Constant *, 16> Sites;
  llvm::StringMap<llvm::Constant *> Files;

  const llvm::DILocation *placeOf(const CheckedAccess &A) const;
  llvm::StructType *type() const;
};

} // namespace asyncmem

#endif
