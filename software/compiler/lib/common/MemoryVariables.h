// SPDX-License-Identifier: Apache-2.0
// Variables in memory whose place is another one in each task, or in each level of a
// recursion: no address in them may be kept anywhere, so it is computed where it is used.
//
//   int v[4]; p = &v[1]; ... wait ... *p   ->   ... wait ... *(frame + 4)

#ifndef ASYNCMEM_MEMORYVARIABLES_H
#define ASYNCMEM_MEMORYVARIABLES_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace asyncmem {

/// \returns true if \p I starts or ends the life of a variable.
bool isLifetime(const llvm::Instruction &I);

/// \returns true if the life of \p A starts in \p L: each task has its own.
bool isPrivateTo(const llvm::AllocaInst &A, const llvm::Loop &L);

/// \returns true if \p I reads or writes a variable whose accesses a clause of its
/// loop keeps in place (frontend/Clauses.h), once they are released.
bool isInPlace(const llvm::Instruction &I);

/// \returns the objects that \p Pointer may point into.
llvm::SmallVector<const llvm::Value *, 4>
underlyingObjects(const llvm::Value *Pointer);

/// \returns the place where the operand \p U is read.
llvm::Instruction *positionOf(llvm::Use &U);

/// \returns where some address derived from \p A leaves the pattern "load,
/// store or fill at a GEP of it", since its place is different in each task;
/// null if it does not. With \p MayCall a callee may read it, and the plain
/// function of a recursion write it. With \p MayJoin such addresses may be joined
/// with each other and compared.
const llvm::Instruction *escapingUse(const llvm::Value *A, bool MayCall,
                                     bool MayJoin = false);

/// \returns a variable of \p F that is allocated once.
llvm::AllocaInst *createVariable(llvm::Function &F, llvm::Type *Ty,
                                 const llvm::Twine &Name);

/// Reads \p Variable where \p B stands.
inline llvm::Value *loadVariable(llvm::IRBuilderBase &B,
                                 llvm::AllocaInst *Variable) {
  return B.CreateLoad(Variable->getAllocatedType(), Variable);
}

/// Recomputes each address in one of \p Variables at each use.
void sinkAddresses(llvm::ArrayRef<llvm::AllocaInst *> Variables);

/// Recomputes each address at a constant distance from \p Object at each use.
void sinkFields(llvm::Argument &Object);

} // namespace asyncmem

#endif
