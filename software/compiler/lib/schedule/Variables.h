// SPDX-License-Identifier: Apache-2.0
// Values of the generated code that are kept in a register.

#ifndef ASYNCMEM_VARIABLES_H
#define ASYNCMEM_VARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

/// Variables of the generated code that are assigned in several places. They
/// are allocas until the control flow is complete, then become SSA values.
class Variables {
public:
  explicit Variables(llvm::Function &F) : F(F) {}

  llvm::AllocaInst *create(llvm::Type *Ty, const llvm::Twine &Name);
  llvm::ArrayRef<llvm::AllocaInst *> all() const { return Allocas; }

private:
  llvm::Function &F;
  llvm::SmallVector<llvm::AllocaInst *, 16> Allocas;
};

/// \p V as a value the optimizer knows nothing of: computed where \p Builder
/// stands and kept in a register, neither moved nor built anew at each use. Where
/// no register is as wide, \p V itself.
llvm::Value *keepInRegister(llvm::IRBuilderBase &Builder, llvm::Value *V);

/// No code, behind which a block ends that passes shall not join with the end of
/// another one.
void keepEndApart(llvm::IRBuilderBase &Builder);

} // namespace asyncmem

#endif
