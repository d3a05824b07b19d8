// SPDX-License-Identifier: Apache-2.0
// Calls of memcmp, memcpy, memchr, strlen, strcmp and strncmp on remote memory, in which no
// task can wait. With the AMU code of our own takes their place, whose accesses become
// requests (LibraryCode.c). Prefetching tasks touch lines of the block, the first and the
// last, or one of a string, and call the function then. A copy to remote memory is always a
// loop.
//
//   memcmp(p, key, n)  ->  touch(p, n); memcmp(p, key, n)    or    the loop of memcmp

#include "transform/Transforms.h"
#include "analysis/RemotePointers.h"
#include "common/Instructions.h"
#include "common/Blocks.h"
#include "common/Target.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace asyncmem;

// The file is what clang made of LibraryCode.c.
ASYNCMEM_BITCODE(asyncmem_library, LIBRARY_FILE)

namespace {

const StringRef CodeNames[] = {
    "__asyncmem_memcmp",       "__asyncmem_memcmp_bytes", "__asyncmem_memcpy",
    "__asyncmem_memcpy_bytes", "__asyncmem_memchr",       "__asyncmem_strlen",
    "__asyncmem_strcmp",       "__asyncmem_strncmp",      "__asyncmem_touch"};

/// A call that is to be replaced.
struct LibraryCall {
  CallInst *Call;
  /// Name in LibraryCode.c, without the prefix.
  StringRef Code;
  /// Arguments that point to blocks it reads; the remote ones of them.
  SmallVector<unsigned, 2> Blocks, Remote;
  /// Argument that says how long each block is; strings have none.
  std::optional<unsigned> Length;
  /// A loop takes its place, whatever runs the tasks.
  bool NeedsLoop = false;
};

bool isShort(const Value *Length, uint64_t Most) {
  auto *Bytes = dyn_cast<ConstantInt>(Length);
  return Bytes && Bytes->getValue().ule(Most);
}

/// \returns what \p I calls, all of its places remote or not.
std::optional<LibraryCall> libraryCall(CallInst &I,
                                       const TargetLibraryInfoImpl &Library) {
  if (auto *Copy = dyn_cast<MemCpyInst>(&I)) {
    if (Copy->isVolatile() || isShort(Copy->getLength(), MaxBlockBytes))
      return std::nullopt;
    return LibraryCall{&I, "memcpy", {1}, {}, 2};
  }
  const Function *Callee = I.getCalledFunction();
  LibFunc Kind;
  if (!Callee || !Callee->isDeclaration() || I.isNoBuiltin() ||
      !Library.getLibFunc(*Callee, Kind))
    return std::nullopt;
  switch (Kind) {
  case LibFunc_memcmp:
  case LibFunc_bcmp:
    if (isShort(I.getArgOperand(2), LineBytes))
      return std::nullopt;
    return LibraryCall{&I, "memcmp", {0, 1}, {}, 2};
  case LibFunc_memchr:
    return LibraryCall{&I, "memchr", {0}, {}, {}};
  case LibFunc_strlen:
    return LibraryCall{&I, "strlen", {0}, {}, {}};
  case LibFunc_strcmp:
    return LibraryCall{&I, "strcmp", {0, 1}, {}, {}};
  case LibFunc_strncmp:
    return LibraryCall{&I, "strncmp", {0, 1}, {}, {}};
  default:
    return std::nullopt;
  }
}

bool isLocal(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return any_of(Objects, [](const Value *V) { return isa<AllocaInst>(V); });
}

class LibraryExpander {
public:
  LibraryExpander(Function &F, bool Requests)
      : M(*F.getParent()), Library(Triple(M.getTargetTriple())),
        Requests(Requests),
        IsSanitized(F.hasFnAttribute(Attribute::SanitizeAddress) ||
                    F.hasFnAttribute(Attribute::SanitizeHWAddress)) {}

  void find(const Loop &L) {
    const RemotePointers Pointers(L);
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB) {
        auto *Call = dyn_cast<CallInst>(&I);
        std::optional<LibraryCall> Known = Call && !I.hasMetadata(TouchedTag)
                                               ? libraryCall(*Call, Library)
                                               : std::nullopt;
        if (!Known)
          continue;
        for (unsigned N : Known->Blocks)
          if (Pointers.isRemote(Call->getArgOperand(N)))
            Known->Remote.push_back(N);
        if (Known->Code == "memcpy")
          Known->NeedsLoop = Pointers.isRemote(Call->getArgOperand(0)) ||
                             Pointers.areUnmarked();
        if (!Known->Remote.empty() ||
            (Known->NeedsLoop && Pointers.isRemote(Call->getArgOperand(0))))
          Calls.insert({Call, *Known});
      }
  }

  bool run() {
    if (Calls.empty())
      return false;
    linkProgramCode(M, asyncmem_library(), CodeNames, "rename it",
                    [](Module &Code) {
                      for (Function &F : Code)
                        if (!F.isDeclaration())
                          F.setAttributes(AttributeList());
                    });
    for (const auto &[Call, Known] : Calls)
      if (Requests || Known.NeedsLoop)
        replace(Known);
      else
        touch(Known);
    for (StringRef Name : CodeNames)
      M.getFunction(Name)->eraseFromParent();
    return true;
  }

private:
  Module &M;
  const TargetLibraryInfoImpl Library;
  bool Requests, IsSanitized;
  /// A loop inside another marked one is part of both.
  MapVector<CallInst *, LibraryCall> Calls;

  /// \returns a call of \p Code at \p B; inlined, once it is used.
  CallInst *callCode(IRBuilderBase &B, const Twine &Code,
                     ArrayRef<Value *> Arguments) {
    return B.CreateCall(M.getFunction(("__asyncmem_" + Code).str()), Arguments);
  }

  static void inlineCode(CallInst &Call) {
    InlineFunctionInfo Info;
    [[maybe_unused]] InlineResult Inlined = InlineFunction(Call, Info);
    assert(Inlined.isSuccess() && "the library's code is plain");
  }

  void replace(const LibraryCall &Known) {
    CallInst *Call = Known.Call;
    IRBuilder<> B(Call);
    SmallVector<Value *, 3> Arguments(Call->args());
    std::string Code = Known.Code.str();
    if (auto *Copy = dyn_cast<MemCpyInst>(Call)) {
      Arguments.pop_back();
      Arguments[2] = B.CreateZExtOrTrunc(Copy->getLength(), B.getInt64Ty());
    }
    // What is the body's own follows the task, its address is no number. Two loops for
    // each of two places would leave room for too few tasks.
    bool HasBytes = Code == "memcpy" || Code == "memcmp";
    if (HasBytes && (IsSanitized || Known.Remote.size() > 1 ||
                     any_of(ArrayRef(Arguments).take_front(2), isLocal)))
      Code += "_bytes";
    CallInst *Own = callCode(B, Code, Arguments);
    Call->replaceAllUsesWith(Own);
    Call->eraseFromParent();
    inlineCode(*Own);
  }

  /// The call gets the pointer from an instruction that needs what was touched.
  void touch(const LibraryCall &Known) {
    CallInst *Call = Known.Call;
    for (unsigned N : Known.Remote) {
      IRBuilder<> B(Call);
      Value *Pointer = Call->getArgOperand(N);
      Value *Length =
          Known.Length ? B.CreateZExtOrTrunc(Call->getArgOperand(*Known.Length),
                                             B.getInt64Ty())
                       : B.getInt64(1);
      CallInst *Some = callCode(B, "touch", {Pointer, Length});
      Type *Ty = Pointer->getType();
      auto *After =
          InlineAsm::get(FunctionType::get(Ty, {Ty, Some->getType()}, false),
                         "", "=r,0,r", /*hasSideEffects=*/false);
      CallInst *Behind = B.CreateCall(After, {Pointer, Some});
      Behind->setDoesNotAccessMemory();
      Behind->setDoesNotThrow();
      Behind->addFnAttr(Attribute::WillReturn);
      Call->setArgOperand(N, Behind);
      inlineCode(*Some);
    }
    Call->setMetadata(TouchedTag, MDNode::get(M.getContext(), {}));
  }
};

} // namespace

bool asyncmem::expandLibraryCalls(Function &F, ArrayRef<Loop *> Loops,
                                  bool Requests) {
  LibraryExpander Expander(F, Requests);
  for (const Loop *L : Loops)
    Expander.find(*L);
  return Expander.run();
}
