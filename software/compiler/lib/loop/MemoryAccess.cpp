// SPDX-License-Identifier: Apache-2.0

#include "loop/MemoryAccess.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

Value *asyncmem::accessPointer(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return const_cast<Value *>(Update->getPointerOperand());
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return const_cast<Value *>(Exchange->getPointerOperand());
  return const_cast<Value *>(getLoadStorePointerOperand(Access));
}

Type *asyncmem::accessType(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return Update->getValOperand()->getType();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return Exchange->getCompareOperand()->getType();
  return getLoadStoreType(const_cast<Instruction *>(Access));
}

unsigned asyncmem::accessBytes(const Instruction *Access) {
  return Access->getModule()->getDataLayout().getTypeStoreSize(
      accessType(Access));
}

Align asyncmem::accessAlignment(const Instruction *Access) {
  if (auto *Update = dyn_cast<AtomicRMWInst>(Access))
    return Update->getAlign();
  if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(Access))
    return Exchange->getAlign();
  return getLoadStoreAlignment(const_cast<Instruction *>(Access));
}

void asyncmem::addScopes(const Instruction &I, AliasScopes &Scopes) {
  if (auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I))
    for (const MDOperand &Scope : Declaration->getScopeList()->operands())
      Scopes.insert(Scope.get());
}

MemoryLocation asyncmem::anyPlace(const Instruction &Access,
                                  const AliasScopes &Declared) {
  AAMDNodes Known = Access.getAAMetadata();
  for (MDNode **List : {&Known.Scope, &Known.NoAlias})
    if (*List && any_of((*List)->operands(), [&](const MDOperand &Scope) {
          return Declared.contains(Scope.get());
        }))
      *List = nullptr;
  auto *Block = dyn_cast<AnyMemIntrinsic>(&Access);
  return MemoryLocation(Block ? Block->getRawDest() : accessPointer(&Access),
                        LocationSize::beforeOrAfterPointer(), Known);
}

MemoryLocation asyncmem::anyPlace(const Instruction &Access,
                                  ArrayRef<BasicBlock *> Blocks) {
  AliasScopes Declared;
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      addScopes(I, Declared);
  return anyPlace(Access, Declared);
}
