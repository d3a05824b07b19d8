// SPDX-License-Identifier: Apache-2.0

#include "transform/CheckedCalls.h"
#include "asyncmem_check.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// An address, as LLVM's instructions compute it.
struct Address {
  Address(const Value *P, const DataLayout &DL)
      : Base(P), Bytes(DL.getIndexTypeSizeInBits(P->getType()), 0) {
    while (auto *GEP = dyn_cast<GEPOperator>(Base)) {
      if (!GEP->collectOffset(DL, Bytes.getBitWidth(), Indices, Bytes))
        break;
      Base = GEP->getPointerOperand();
    }
  }

  const Value *Base;
  /// What each of them is multiplied by.
  MapVector<Value *, APInt> Indices;
  APInt Bytes;
};

/// \returns how far \p Q is behind \p P, if that is surely always the same.
std::optional<int64_t> bytesBehind(const Value *P, const Value *Q,
                                   const DataLayout &DL) {
  const Address From(P, DL), To(Q, DL);
  bool AreAlike =
      From.Base == To.Base && From.Indices.size() == To.Indices.size() &&
      all_of(From.Indices, [&](const auto &Index) {
        auto Found = To.Indices.find(Index.first);
        return Found != To.Indices.end() && Found->second == Index.second;
      });
  return AreAlike ? (To.Bytes - From.Bytes).trySExtValue() : std::nullopt;
}

unsigned line(const Instruction &I) {
  return I.getDebugLoc() ? I.getDebugLoc().getLine() : 0;
}

bool isCalledBetween(Instruction &From, Instruction &To) {
  return any_of(make_range(From.getIterator(), To.getIterator()),
                [](const Instruction &I) {
                  return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
                });
}

bool isSame(const CheckedAccess &A, const CheckedAccess &B) {
  return A.I == B.I && A.Pointer == B.Pointer && A.Writes == B.Writes;
}

/// \returns how far \p B, which comes later, is behind \p A if one call can tell
/// of both, else 0.
int64_t bytesBetween(const CheckedAccess &A, const CheckedAccess &B,
                     const DataLayout &DL) {
  uint64_t Bytes = constantBytes(A);
  if (!isShort(A) || !isShort(B) || (Bytes != 4 && Bytes != 8) ||
      constantBytes(B) != Bytes || A.Writes != B.Writes ||
      A.Permits != B.Permits || A.Permits & CHECK_INSERT ||
      A.I->getParent() != B.I->getParent() || !A.I->comesBefore(B.I) ||
      isCalledBetween(*A.I, *B.I))
    return 0;
  std::optional<int64_t> Behind = bytesBehind(A.Pointer, B.Pointer, DL);
  return Behind && std::abs(*Behind) == int64_t(Bytes) ? *Behind : 0;
}

} // namespace

bool asyncmem::isShort(const CheckedAccess &A) {
  auto *Bytes = dyn_cast_if_present<ConstantInt>(A.Bytes);
  return Bytes && Bytes->getValue().isPowerOf2() && Bytes->getValue().ule(16);
}

bool asyncmem::isCovered(const CheckedAccess &Read,
                         ArrayRef<CheckedAccess> Accesses) {
  if (Read.Writes || !isa<LoadInst>(Read.I))
    return false;
  return any_of(Accesses, [&](const CheckedAccess &Write) {
    return isa<StoreInst>(Write.I) && Write.Pointer == Read.Pointer &&
           Write.Bytes == Read.Bytes && Write.Permits == Read.Permits &&
           line(*Write.I) == line(*Read.I) &&
           Write.I->getParent() == Read.I->getParent() &&
           Read.I->comesBefore(Write.I) && !isCalledBetween(*Read.I, *Write.I);
  });
}

SmallVector<WatchedCall, 16>
asyncmem::joinedCalls(ArrayRef<WatchedAccess> Watched, const DataLayout &DL) {
  SmallVector<WatchedCall, 16> Joined;
  for (const WatchedAccess &W : Watched) {
    auto Same = find_if(Joined, [&](const WatchedCall &C) {
      return isShort(*W.A) && isSame(*C.Of.front().A, *W.A);
    });
    if (Same != Joined.end())
      Same->Of.push_back(W);
    else
      Joined.push_back(WatchedCall(W));
  }
  for (unsigned N = 0; N != Joined.size(); ++N) {
    WatchedCall &C = Joined[N];
    auto Next = find_if(drop_begin(Joined, N + 1), [&](const WatchedCall &D) {
      return all_of_zip(C.Of, D.Of, [&](auto &A, auto &B) {
        return A.Level == B.Level && bytesBetween(*A.A, *B.A, DL);
      });
    });
    if (Next == Joined.end())
      continue;
    C.Behind = std::move(Next->Of);
    if (bytesBetween(*C.At, *C.Behind.front().A, DL) < 0)
      std::swap(C.Of, C.Behind);
    Joined.erase(Next);
  }
  return Joined;
}
