// SPDX-License-Identifier: Apache-2.0

#include "transform/AccessPieces.h"
#include "analysis/RemotePointers.h"
#include "common/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace asyncmem;

namespace {

constexpr uint64_t WordBytes = 8;

/// \returns true if a request can make an access of \p Bytes.
bool isOnePiece(uint64_t Bytes, Align Alignment) {
  return Bytes <= WordBytes && isPowerOf2_64(Bytes) &&
         Alignment.value() >= Bytes;
}

/// What is known about aliases holds for each piece.
void addScopes(Instruction *New, const Instruction &Old) {
  AAMDNodes Known = Old.getAAMetadata();
  New->setAAMetadata(AAMDNodes(nullptr, nullptr, Known.Scope, Known.NoAlias));
}

class AccessSplitter {
public:
  AccessSplitter(Loop &L, Function &F, bool NeedsAligned)
      : L(L), DL(F.getParent()->getDataLayout()), Pointers(F),
        NeedsAligned(NeedsAligned) {}

  void run() {
    SmallVector<Instruction *, 32> Old;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        Old.push_back(&I);
    SmallVector<Instruction *, 8> Split;
    for (Instruction *I : Old)
      if (split(*I))
        Split.push_back(I);
    for (Instruction *I : Split)
      I->eraseFromParent();
  }

private:
  Loop &L;
  const DataLayout &DL;
  RemotePointers Pointers;
  bool NeedsAligned;

  bool split(Instruction &I) {
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      return isBlock(*Copy) &&
             (Pointers.isRemote(Copy->getRawDest()) ||
              Pointers.isRemote(Copy->getRawSource())) &&
             splitCopy(*Copy);
    if (auto *Fill = dyn_cast<MemSetInst>(&I))
      return isBlock(*Fill) && Pointers.isRemote(Fill->getRawDest()) &&
             splitFill(*Fill);
    if (!NeedsAligned)
      return false;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return isUnfit(I, Load->getAlign()) && splitLoad(*Load);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      return isUnfit(I, Store->getAlign()) && splitStore(*Store);
    return false;
  }

  static bool isBlock(const MemIntrinsic &Block) {
    auto *Length = dyn_cast<ConstantInt>(Block.getLength());
    return Length && Length->getValue().ule(MaxBlockBytes) &&
           !Block.isVolatile();
  }

  bool isUnfit(Instruction &I, Align Alignment) const {
    TypeSize Bits = DL.getTypeSizeInBits(getLoadStoreType(&I));
    return !I.isAtomic() && !I.isVolatile() && !Bits.isScalable() &&
           getLoadStoreType(&I)->isSingleValueType() &&
           Bits.getFixedValue() % 8 == 0 &&
           !isOnePiece(Bits.getFixedValue() / 8, Alignment) &&
           Pointers.isRemote(getLoadStorePointerOperand(&I));
  }

  SmallVector<Piece, 8> pieces(uint64_t Bytes, Align Alignment) const {
    SmallVector<Piece, 8> Result;
    for (uint64_t Offset = 0; Offset != Bytes; Offset += Result.back().Bytes) {
      uint64_t Most = std::min(WordBytes, Bytes - Offset);
      if (NeedsAligned)
        Most = std::min(Most, commonAlignment(Alignment, Offset).value());
      Result.push_back({Offset, uint64_t(1) << Log2_64(Most)});
    }
    return Result;
  }

  void store(IRBuilderBase &B, Value *V, Value *Base, Align Alignment, Piece P,
             const Instruction &Old) const {
    addScopes(B.CreateAlignedStore(
                  V, B.CreateConstGEP1_64(B.getInt8Ty(), Base, P.Offset),
                  commonAlignment(Alignment, P.Offset)),
              Old);
  }

  /// All loads come first: the blocks of memmove may overlap.
  bool splitCopy(MemTransferInst &Copy) const {
    IRBuilder<> B(&Copy);
    Align From = Copy.getSourceAlign().valueOrOne();
    Align To = Copy.getDestAlign().valueOrOne();
    uint64_t Bytes = cast<ConstantInt>(Copy.getLength())->getZExtValue();
    SmallVector<std::pair<Piece, Value *>, 32> Loaded;
    for (Piece P : pieces(Bytes, std::min(From, To)))
      Loaded.push_back({P, loadPiece(B, Copy.getRawSource(), From, P, Copy)});
    for (auto [P, V] : Loaded)
      store(B, V, Copy.getRawDest(), To, P, Copy);
    return true;
  }

  bool splitFill(MemSetInst &Fill) const {
    IRBuilder<> B(&Fill);
    Align To = Fill.getDestAlign().valueOrOne();
    uint64_t Bytes = cast<ConstantInt>(Fill.getLength())->getZExtValue();
    for (Piece P : pieces(Bytes, To)) {
      unsigned Bits = 8 * P.Bytes;
      Value *Byte = B.CreateZExt(Fill.getValue(), B.getIntNTy(Bits));
      Value *Ones = B.getInt(APInt::getSplat(Bits, APInt(8, 1)));
      store(B, B.CreateMul(Byte, Ones), Fill.getRawDest(), To, P, Fill);
    }
    return true;
  }

  bool splitLoad(LoadInst &Load) const {
    IRBuilder<> B(&Load);
    uint64_t Bits = DL.getTypeSizeInBits(Load.getType());
    Type *Whole = B.getIntNTy(Bits);
    Value *V = ConstantInt::get(Whole, 0);
    for (Piece P : pieces(Bits / 8, Load.getAlign())) {
      Value *Part =
          loadPiece(B, Load.getPointerOperand(), Load.getAlign(), P, Load);
      V = B.CreateOr(V, B.CreateShl(B.CreateZExt(Part, Whole), 8 * P.Offset));
    }
    Load.replaceAllUsesWith(B.CreateBitOrPointerCast(V, Load.getType()));
    return true;
  }

  bool splitStore(StoreInst &Store) const {
    IRBuilder<> B(&Store);
    Value *V = Store.getValueOperand();
    uint64_t Bits = DL.getTypeSizeInBits(V->getType());
    V = B.CreateBitOrPointerCast(V, B.getIntNTy(Bits));
    for (Piece P : pieces(Bits / 8, Store.getAlign()))
      store(B,
            B.CreateTrunc(B.CreateLShr(V, 8 * P.Offset),
                          B.getIntNTy(8 * P.Bytes)),
            Store.getPointerOperand(), Store.getAlign(), P, Store);
    return true;
  }
};

} // namespace

LoadInst *asyncmem::loadPiece(IRBuilderBase &B, Value *Base, Align Alignment,
                              Piece P, const Instruction &Old) {
  LoadInst *New =
      B.CreateAlignedLoad(B.getIntNTy(8 * P.Bytes),
                          B.CreateConstGEP1_64(B.getInt8Ty(), Base, P.Offset),
                          commonAlignment(Alignment, P.Offset));
  addScopes(New, Old);
  return New;
}

void asyncmem::splitIntoPieces(Loop &L, Function &F, bool NeedsAligned) {
  AccessSplitter(L, F, NeedsAligned).run();
}
