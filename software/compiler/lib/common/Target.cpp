// SPDX-License-Identifier: Apache-2.0

#include "common/Target.h"
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
