// SPDX-License-Identifier: Apache-2.0
// Which values of a loop may be others in another iteration.
//
// Algorithm: a value varies if it is handed on from the iteration before, if it is
// computed from one that does, or if it comes from a variable in memory or from a call.
// Where paths join it also does if a value that varies has chosen the path, and behind
// an inner loop if one has decided when that ends.
//
//   for (i) for (k = 0; k < n[i]; ++k) s += a[k] * x[i + k];   i + k varies, k does not

#ifndef ASYNCMEM_VARYINGVALUES_H
#define ASYNCMEM_VARYINGVALUES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace asyncmem {

class VaryingValues {
public:
  explicit VaryingValues(const llvm::Loop &L);

  bool contains(const llvm::Value *V) const { return Found.contains(V); }

private:
  llvm::SmallPtrSet<const llvm::Value *, 32> Found;

  bool follows(const llvm::Instruction &I, const llvm::DominatorTree &DT,
               const llvm::LoopInfo &LI) const;
  bool isLeftEarly(const llvm::Value *V, const llvm::Instruction &I,
                   const llvm::LoopInfo &LI) const;
  bool isChosen(const llvm::PHINode &Phi, const llvm::DominatorTree &DT) const;
};

} // namespace asyncmem

#endif
