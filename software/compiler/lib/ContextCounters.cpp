// SPDX-License-Identifier: Apache-2.0

#include "asyncmem/ContextCounters.h"
#include "asyncmem/Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The counter is weak: each object has it, the linker keeps one.
GlobalVariable *counter(Module &M, StringRef Name) {
  Type *I64 = Type::getInt64Ty(M.getContext());
  auto *G = cast<GlobalVariable>(M.getOrInsertGlobal(Name, I64));
  G->setInitializer(ConstantInt::get(I64, 0));
  G->setLinkage(GlobalValue::WeakAnyLinkage);
  return G;
}

void add(IRBuilderBase &B, GlobalVariable *Counter, uint64_t Amount) {
  Value *Old = B.CreateLoad(B.getInt64Ty(), Counter);
  B.CreateStore(B.CreateAdd(Old, B.getInt64(Amount)), Counter);
}

} // namespace

void asyncmem::addContextCounters(Function &F) {
  GlobalVariable *Operations = counter(*F.getParent(), ContextCounter);
  GlobalVariable *Switches = counter(*F.getParent(), SwitchCounter);
  unsigned ContextKind = F.getContext().getMDKindID(ContextTag);
  unsigned SwitchKind = F.getContext().getMDKindID(SwitchTag);
  for (BasicBlock &BB : F) {
    uint64_t Moved = 0, Switched = 0;
    for (Instruction &I : BB) {
      Moved += I.hasMetadata(ContextKind);
      Switched += I.hasMetadata(SwitchKind);
      I.setMetadata(ContextKind, nullptr);
      I.setMetadata(SwitchKind, nullptr);
    }
    IRBuilder<> B(BB.getTerminator());
    if (Moved)
      add(B, Operations, Moved);
    if (Switched)
      add(B, Switches, Switched);
  }
}
