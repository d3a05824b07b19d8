// SPDX-License-Identifier: Apache-2.0
// Whether a place in memory holds a value that the program has in a register.
//
// Algorithm: backwards from where it is asked: a store of the value to the place, or a load of
// the value from it, says yes; another instruction that may write there says no. At the begin
// of a block all ways into it must agree, for the operand of a phi each its own. A question
// that is being answered already counts as yes.
//
//   *p = v; if (c) g = 1; -> *p holds v     *p = v; f(); -> unknown, if f may write *p

#ifndef ASYNCMEM_HELDVALUE_H
#define ASYNCMEM_HELDVALUE_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class AAResults;
} // namespace llvm

namespace asyncmem {

class HeldValue {
public:
  /// \p Load, if it is not null, is the only one that the value may come from; \p
  /// Phi is taken to hold it.
  HeldValue(const llvm::Value &Pointer, const llvm::MemoryLocation &Place,
            llvm::AAResults &AA, const llvm::PHINode *Phi = nullptr,
            const llvm::LoadInst *Load = nullptr)
      : Pointer(Pointer), Place(Place), AA(AA), Phi(Phi), Load(Load) {}

  /// What is asked is whether the place holds \p V there.
  bool isHeldAt(const llvm::Value &V, const llvm::Instruction &I);
  bool isHeldAtTheBegin(const llvm::Value &V, const llvm::BasicBlock &BB);
  bool isHeldAtTheEnd(const llvm::Value &V, const llvm::BasicBlock &BB);

private:
  const llvm::Value &Pointer;
  llvm::MemoryLocation Place;
  llvm::AAResults &AA;
  const llvm::PHINode *Phi;
  const llvm::LoadInst *Load;
  llvm::DenseSet<std::pair<const llvm::Value *, const llvm::BasicBlock *>> Seen;

  std::optional<bool> isHeldBehind(const llvm::Value &V,
                                   const llvm::Instruction &I);
  bool isHeldFrom(const llvm::Value &V, const llvm::Instruction *Last,
                  const llvm::BasicBlock &BB);
};

} // namespace asyncmem

#endif
