// SPDX-License-Identifier: Apache-2.0

#include "passes/ContextCounters.h"
#include "common/Names.h"
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
  static constexpr std::pair<const char *, const char *> Counted[] = {
      {ContextTag, ContextCounter},
      {SwitchTag, SwitchCounter},
      {GrowTag, GrowCounter},
      {ShrinkTag, ShrinkCounter}};
  for (auto [Tag, Name] : Counted) {
    GlobalVariable *Counter = counter(*F.getParent(), Name);
    unsigned Kind = F.getContext().getMDKindID(Tag);
    for (BasicBlock &BB : F) {
      uint64_t Amount = 0;
      for (Instruction &I : BB) {
        Amount += I.hasMetadata(Kind);
        I.setMetadata(Kind, nullptr);
      }
      IRBuilder<> B(BB.getTerminator());
      if (Amount)
        add(B, Counter, Amount);
    }
  }
}
