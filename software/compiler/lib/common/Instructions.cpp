// SPDX-License-Identifier: Apache-2.0

#include "common/Instructions.h"
#include "common/Names.h"

using namespace llvm;
using namespace asyncmem;

bool asyncmem::callsFunction(const Instruction &I, StringRef Name) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName() == Name;
}

CallInst *asyncmem::callFunction(IRBuilderBase &B, StringRef Name,
                                 ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 5> Types;
  for (Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  Module &M = *B.GetInsertBlock()->getModule();
  return B.CreateCall(
      M.getOrInsertFunction(
          Name, FunctionType::get(B.getVoidTy(), Types, /*isVarArg=*/false)),
      Arguments);
}

bool asyncmem::isMark(const Instruction &I) {
  return callsFunction(I, RemoteFunction) || callsFunction(I, NearFunction) ||
         callsFunction(I, PromisedFunction);
}

bool asyncmem::saysUnmarked(const Instruction &I) {
  return callsFunction(I, RemoteFunction) &&
         isa<ConstantPointerNull>(I.getOperand(0));
}

bool asyncmem::isLock(const Instruction &I) {
  return callsFunction(I, LockFunction);
}

bool asyncmem::isUnlock(const Instruction &I) {
  return callsFunction(I, UnlockFunction);
}

/// \returns the function of another module that \p I calls, or null.
static const Function *libraryFunction(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() ? Callee : nullptr;
}

bool asyncmem::isHeapCall(const Instruction &I) {
  const Function *Callee = libraryFunction(I);
  if (!Callee)
    return false;
  // Of C; operator new and delete of one object and of an array.
  return StringSwitch<bool>(Callee->getName())
      .Cases("malloc", "calloc", "realloc", "aligned_alloc", "free", true)
      .StartsWith("_Znw", true)
      .StartsWith("_Zna", true)
      .StartsWith("_Zdl", true)
      .StartsWith("_Zda", true)
      .Default(false);
}

bool asyncmem::isCompare(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return (callsFunction(I, "memcmp") || callsFunction(I, "bcmp")) &&
         !Call->isNoBuiltin() && Call->arg_size() == 3 &&
         Call->getType()->isIntegerTy(32) &&
         Call->getCalledFunction()->isDeclaration();
}

std::optional<StringRead> asyncmem::stringRead(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = libraryFunction(I);
  if (!Callee || Call->isNoBuiltin())
    return std::nullopt;
  auto Argument = [&](unsigned N) { return Call->getArgOperand(N); };
  bool TakesString =
      Call->arg_size() > 0 && Argument(0)->getType()->isPointerTy();
  bool TakesTwo = Call->arg_size() > 1 && Argument(1)->getType()->isPointerTy();
  StringRef Name = Callee->getName();
  if (TakesString && Name == "strlen")
    return StringRead{Argument(0)};
  if (TakesString && !TakesTwo && Call->arg_size() == 2 && Name == "strnlen")
    return StringRead{Argument(0), nullptr, Argument(1)};
  if (TakesTwo && Name == "strcmp")
    return StringRead{Argument(0), Argument(1)};
  if (TakesTwo && Call->arg_size() == 3 && Name == "strncmp")
    return StringRead{Argument(0), Argument(1), Argument(2)};
  return std::nullopt;
}

bool asyncmem::isArithmetic(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = libraryFunction(I);
  if (!Callee || Call->hasStructRetAttr() ||
      any_of(Call->args(),
             [](const Use &U) { return !U->getType()->isFloatingPointTy(); }))
    return false;
  StringRef Name = Callee->getName();
  if (Name == "__issignaling" || Name == "__issignalingf")
    return true;
  return (Name.consume_front("__mul") || Name.consume_front("__div")) &&
         StringSwitch<bool>(Name)
             .Cases("hc3", "sc3", "dc3", "xc3", "tc3", true)
             .Default(false);
}

bool asyncmem::maySetErrno(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = libraryFunction(I);
  if (!Callee || Call->isNoBuiltin() || any_of(Call->args(), [](const Use &U) {
        return U->getType()->isPointerTy();
      }))
    return false;
  auto IsOfDoubles = [](StringRef Name) {
    return StringSwitch<bool>(Name)
        .Cases("acos", "asin", "atan2", "cos", "sin", "tan", true)
        .Cases("acosh", "atanh", "cosh", "sinh", "erfc", "tgamma", true)
        .Cases("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", true)
        .Cases("pow", "sqrt", "hypot", "fmod", "remainder", "fdim", true)
        .Cases("ldexp", "scalbn", "scalbln", "ilogb", "logb", true)
        .Cases("lrint", "llrint", "lround", "llround", true)
        .Cases("nextafter", "nexttoward", "fma", true)
        .Default(false);
  };
  StringRef Name = Callee->getName();
  return IsOfDoubles(Name) ||
         ((Name.consume_back("f") || Name.consume_back("l")) &&
          IsOfDoubles(Name));
}

/// \returns true if \p F is defined and does nothing but to end the program, as
/// libc++ has functions for what is no exception.
static bool onlyEndsProgram(const Function &F) {
  return F.doesNotReturn() && F.size() == 1 && !F.isInterposable() &&
         endsFatally(F.front()) && all_of(F.front(), [](const Instruction &I) {
           return isFatal(I) || isa<UnreachableInst>(I) ||
                  !I.mayHaveSideEffects();
         });
}

bool asyncmem::endsFatally(const BasicBlock &BB) { return any_of(BB, isFatal); }

bool asyncmem::isFatal(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return false;
  if (Callee->isIntrinsic())
    return Callee->getIntrinsicID() == Intrinsic::trap ||
           Callee->getIntrinsicID() == Intrinsic::ubsantrap;
  // The sanitizer takes "noreturn" from what the program calls.
  return onlyEndsProgram(*Callee) ||
         StringSwitch<bool>(Callee->getName())
             .Cases("abort", "__assert_fail", "__assert_func", true)
             // What the C++ libraries call where checks fail.
             .Cases("_ZNSt3__122__libcpp_verbose_abortEPKcz",
                    "_ZSt21__glibcxx_assert_failPKciS0_S0_", true)
             .StartsWith("__ubsan_handle_", Call->doesNotReturn())
             .Default(false);
}
