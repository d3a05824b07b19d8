// SPDX-License-Identifier: Apache-2.0

#include "common/Target.h"
#include "common/Names.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace asyncmem;

Target::Target(const Module &M)
    : Machine(M.getTargetTriple()), IsNhg(Machine.isRISCV64()) {}

NearMode Target::defaultNearMode() const {
  return IsNhg ? NearMode{true, true} : NearMode{false, false};
}

uint64_t Target::defaultAdaptCycles() const {
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

namespace {

CallInst *emitAsm(IRBuilderBase &B, Type *Result, StringRef Text,
                  StringRef Constraints, ArrayRef<Value *> Args,
                  bool HasSideEffects = true) {
  SmallVector<Type *, 2> Types;
  for (Value *Arg : Args)
    Types.push_back(Arg->getType());
  auto *Ty = FunctionType::get(Result, Types, false);
  return B.CreateCall(InlineAsm::get(Ty, Text, Constraints, HasSideEffects),
                      Args);
}

/// An instruction of Zicond; funct7 is 7.
CallInst *emitCzero(IRBuilderBase &B, unsigned Funct3, Value *Word,
                    Value *Condition) {
  CallInst *Call =
      emitAsm(B, B.getInt64Ty(),
              formatv(".insn r OP, {0}, 7, $0, $1, $2", Funct3).str(), "=r,r,r",
              {Word, Condition}, /*HasSideEffects=*/false);
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  return Call;
}

/// An AMI instruction for the assembler; \p Operands are rd, rs1 and rs2.
std::string text(unsigned Funct3, StringRef Operands) {
  return formatv(".insn r {0}, {1}, {2}, {3}", NHG_AMI_OPCODE_NAME, Funct3,
                 NHG_AMI_FUNCT7, Operands);
}

/// Every loop of tasks has some.
bool isAconfig(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  auto *Code = Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
  return Code &&
         Code->getAsmString() == text(NHG_AMI_ACONFIG_FUNCT3, "x0, $0, $1");
}

/// An instruction of two source registers and no result.
CallInst *emitPair(IRBuilderBase &B, unsigned Funct3, Value *First,
                   Value *Second) {
  return emitAsm(B, B.getVoidTy(), text(Funct3, "x0, $0, $1"), "r,r,~{memory}",
                 {First, Second});
}

} // namespace

Value *zicond::czeroEqz(IRBuilderBase &B, Value *Word, Value *Condition) {
  return emitCzero(B, 5, Word, Condition);
}

Value *zicond::czeroNez(IRBuilderBase &B, Value *Word, Value *Condition) {
  return emitCzero(B, 7, Word, Condition);
}

CallInst *ami::aload(IRBuilderBase &B, Value *AddressWord, Value *RequestWord) {
  return emitPair(B, NHG_AMI_ALOAD_FUNCT3, AddressWord, RequestWord);
}

CallInst *ami::astore(IRBuilderBase &B, Value *AddressWord,
                      Value *RequestWord) {
  return emitPair(B, NHG_AMI_ASTORE_FUNCT3, AddressWord, RequestWord);
}

void ami::aset(IRBuilderBase &B, Value *Id, unsigned Requests) {
  aset(B, Id, B.getInt64(Requests));
}

CallInst *ami::aset(IRBuilderBase &B, Value *Id, Value *Requests) {
  return emitPair(B, NHG_AMI_ASET_FUNCT3, Id, Requests);
}

void ami::aconfig(IRBuilderBase &B, ConfigRegister Register, Value *V) {
  emitPair(B, NHG_AMI_ACONFIG_FUNCT3, V, B.getInt64(Register));
}

void ami::await(IRBuilderBase &B, Value *AddressWord, Value *Id) {
  emitPair(B, NHG_AMI_AWAIT_FUNCT3, AddressWord, Id);
}

void ami::asignal(IRBuilderBase &B, Value *Id) {
  emitAsm(B, B.getVoidTy(), text(NHG_AMI_ASIGNAL_FUNCT3, "x0, $0, x0"),
          "r,~{memory}", {Id});
}

Value *ami::getfin(IRBuilderBase &B) {
  return emitAsm(B, B.getInt64Ty(), text(NHG_AMI_GETFIN_FUNCT3, "$0, x0, x0"),
                 "=r,~{memory}", {});
}

void ami::resumePoint(IRBuilderBase &B) {
  emitAsm(B, B.getVoidTy(), "", "~{memory}", {});
}

CallBrInst *ami::bafin(IRBuilderBase &B, BasicBlock *None,
                       ArrayRef<BasicBlock *> Targets) {
  std::string Constraints = "=r";
  for (unsigned I = 0; I != Targets.size(); ++I)
    Constraints += ",!i";
  Constraints += ",~{memory}";
  auto *Ty = FunctionType::get(B.getInt64Ty(), false);
  // No code: two copies of bafin would need moves on the edges to a target,
  // which it does not take, as the target's address is in the request.
  B.CreateCall(InlineAsm::get(FunctionType::get(B.getVoidTy(), false), "", "",
                              /*hasSideEffects=*/true))
      ->addFnAttr(Attribute::NoDuplicate);
  return B.CreateCallBr(
      Ty,
      InlineAsm::get(Ty, text(NHG_AMI_BAFIN_FUNCT3, "$0, x0, x0"), Constraints,
                     /*hasSideEffects=*/true),
      None, Targets);
}

bool ami::startBeforeMain(Module &M) {
  if (Target(M).isLinux() || none_of(M, [](Function &F) {
        return any_of(instructions(F), isAconfig);
      }))
    return false;
  FunctionCallee Start =
      M.getOrInsertFunction(StartFunction, Type::getVoidTy(M.getContext()));
  appendToGlobalCtors(M, cast<Function>(Start.getCallee()), /*Priority=*/0);
  return true;
}
