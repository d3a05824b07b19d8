// SPDX-License-Identifier: Apache-2.0

#include "transform/CheckSites.h"
#include "asyncmem_check.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

static bool isKnown(const DILocation *Where) {
  return Where && Where->getLine();
}

StructType *CheckSites::type() const {
  LLVMContext &Context = M.getContext();
  Type *Int = Type::getInt32Ty(Context);
  return StructType::get(Context, {PointerType::getUnqual(Context), Int, Int,
                                   Int, Int, Type::getInt64Ty(Context)});
}

Constant *CheckSites::file(const DILocation *Where) {
  StringRef Name = Where ? Where->getFilename() : "?";
  Constant *&Known = Files[Name];
  if (!Known)
    Known = IRBuilder<>(M.getContext())
                .CreateGlobalStringPtr(Name, "asyncmem.file", 0, &M);
  return Known;
}

/// \returns where \p A is in the source; where the optimizer has joined
/// accesses, where something of it is.
const DILocation *CheckSites::placeOf(const CheckedAccess &A) const {
  SmallVector<const Value *, 8> Near = {A.I};
  Near.append(A.I->op_begin(), A.I->op_end());
  Near.append(A.I->user_begin(), A.I->user_end());
  for (const Value *V : Near)
    if (auto *I = dyn_cast<Instruction>(V); I && isKnown(I->getDebugLoc()))
      return I->getDebugLoc();
  return Pragma;
}

uint32_t CheckSites::add(const CheckedAccess &A) {
  IRBuilder<> B(M.getContext());
  const DILocation *Where = placeOf(A);
  Sites.push_back(ConstantStruct::get(
      type(), {file(Where), B.getInt32(Where ? Where->getLine() : 0),
               B.getInt32(Where ? Where->getColumn() : 0), B.getInt32(A.Traits),
               B.getInt32(constantBytes(A)), B.getInt64(A.Bits)}));
  assert(Sites.size() < CHECK_MAX_SITES && "the function would be too large");
  return A.Permits | uint32_t(Sites.size() - 1) << CHECK_SITE_SHIFT;
}

Constant *CheckSites::table() {
  auto *Type = ArrayType::get(type(), Sites.size());
  return new GlobalVariable(M, Type, /*isConstant=*/true,
                            GlobalValue::PrivateLinkage,
                            ConstantArray::get(Type, Sites), "asyncmem.sites");
}
