// SPDX-License-Identifier: Apache-2.0

#include "common/Target.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

Target::Target(const Module &M)
    : Machine(M.getTargetTriple()), IsNhg(Machine.isRISCV64()) {}

uint64_t Target::adaptCycles() const {
  bool Bare = IsNhg && Machine.getOS() == Triple::UnknownOS;
  return Bare || Machine.getArch() == Triple::x86_64 ? DefaultAdaptCycles : 0;
}

void Target::clearDeadRegisters(IRBuilderBase &B) const {
  if (!IsNhg)
    return;
  // The last ones that loops are given.
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false),
                              "li t3, 0\n\tli t4, 0\n\tli t5, 0\n\tli t6, 0",
                              "~{x28},~{x29},~{x30},~{x31}",
                              /*hasSideEffects=*/true));
}

Value *Target::codePlace(IRBuilderBase &B) const {
  assert(IsNhg && "the instruction is one of RISC-V");
  return B.CreateCall(InlineAsm::get(FunctionType::get(B.getPtrTy(), false),
                                     "auipc $0, 0", "=r",
                                     /*hasSideEffects=*/true));
}

bool Target::isArithmetic(const InlineAsm &Code) const {
  if (!IsNhg ||
      StringRef(Code.getConstraintString()).find_first_not_of("=f,") !=
          StringRef::npos)
    return false;
  StringRef Instruction = StringRef(Code.getAsmString()).trim();
  StringRef Operation = Instruction.take_until([](char C) { return C == '.'; });
  return !Instruction.contains('\n') && !Instruction.contains(';') &&
         is_contained({"fsqrt", "fmax", "fmin", "fmadd"}, Operation);
}
