// SPDX-License-Identifier: Apache-2.0
// Remote accesses that no request can make as a whole.
//
// 1. Copies and fills of a block become loads and stores of 1, 2, 4 or 8 bytes, and so
//    do, on the AMU, accesses of more than 8 bytes or at any address.
// 2. A comparison of two blocks of constant length, a cache line at most, becomes loads
//    and a comparison of the first pieces that differ.
//
//   memcmp(p, key, 16) == 0  ->  p[0] == key[0] && p[1] == key[1], words

#include "transform/Transforms.h"
#include "analysis/RemotePointers.h"
#include "common/Instructions.h"
#include "common/Target.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// \returns true if a request can make an access of \p Bytes.
bool isOnePiece(uint64_t Bytes, Align Alignment) {
  return Bytes <= WordBytes && isPowerOf2_64(Bytes) &&
         Alignment.value() >= Bytes;
}

/// What is known about aliases holds for each piece.
void keepScopes(Instruction *New, const Instruction &Old) {
  AAMDNodes Known = Old.getAAMetadata();
  New->setAAMetadata(AAMDNodes(nullptr, nullptr, Known.Scope, Known.NoAlias));
}

/// Some of the bytes of an access: 1, 2, 4 or 8.
struct Piece {
  uint64_t Offset;
  uint64_t Bytes;
};

/// Loads \p P of what \p Old reads at \p Base.
LoadInst *loadPiece(IRBuilderBase &B, Value *Base, Align Alignment, Piece P,
                    const Instruction &Old) {
  LoadInst *New =
      B.CreateAlignedLoad(B.getIntNTy(8 * P.Bytes),
                          B.CreateConstGEP1_64(B.getInt8Ty(), Base, P.Offset),
                          commonAlignment(Alignment, P.Offset));
  keepScopes(New, Old);
  return New;
}

class AccessSplitter {
public:
  AccessSplitter(Loop &L, Function &F, bool NeedsAligned)
      : L(L), DL(F.getParent()->getDataLayout()), Pointers(L),
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
      uint64_t Most = std::min<uint64_t>(WordBytes, Bytes - Offset);
      if (NeedsAligned)
        Most = std::min(Most, commonAlignment(Alignment, Offset).value());
      Result.push_back({Offset, uint64_t(1) << Log2_64(Most)});
    }
    return Result;
  }

  void store(IRBuilderBase &B, Value *V, Value *Base, Align Alignment, Piece P,
             const Instruction &Old) const {
    keepScopes(B.CreateAlignedStore(
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

void asyncmem::splitIntoPieces(Loop &L, Function &F, bool NeedsAligned) {
  AccessSplitter(L, F, NeedsAligned).run();
}

namespace {

/// Blocks that are looked through for accesses.
constexpr unsigned MostBlocks = 16;

/// What is accessed, so many bytes from its first one.
struct Place {
  const Value *Base;
  APInt Offset;

  Place(const Value *Pointer, const DataLayout &DL)
      : Base(Pointer),
        Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0) {
    Base = Pointer->stripAndAccumulateConstantOffsets(
        DL, Offset, /*AllowNonInbounds=*/true);
  }
};

/// \returns true if whatever comes behind \p Call accesses what \p Pointer points
/// into, and so that it would be an error unless that is \p Needed: pointers say
/// nothing of their types.
bool isAlignedLater(const CallInst &Call, const Value *Pointer, Align Needed,
                    const DataLayout &DL) {
  const Place Wanted(Pointer, DL);
  const auto *Def = dyn_cast<Instruction>(Wanted.Base);
  auto Says = [&](const Instruction &I) {
    const Value *Accessed = accessPointer(&I);
    if (!Accessed)
      return false;
    const Place At(Accessed, DL);
    return At.Base == Wanted.Base &&
           commonAlignment(accessAlignment(&I),
                           (At.Offset - Wanted.Offset).getZExtValue()) >=
               Needed;
  };
  SmallSetVector<const BasicBlock *, MostBlocks> Behind;
  auto Look = [&](const Instruction *From) {
    for (const Instruction *I = From; I; I = I->getNextNode()) {
      if (Says(*I))
        return true;
      if (I == Def || !isGuaranteedToTransferExecutionToSuccessor(I) ||
          isa<ReturnInst>(I))
        return false;
    }
    Behind.insert(succ_begin(From->getParent()), succ_end(From->getParent()));
    return true;
  };
  if (!Look(Call.getNextNode()))
    return false;
  for (unsigned N = 0; N != Behind.size(); ++N)
    if (N == MostBlocks || Behind[N] == Call.getParent() ||
        !Look(&Behind[N]->front()))
      return false;
  return true;
}

class CompareSplitter {
public:
  CompareSplitter(Loop &L, bool NeedsAligned, FunctionAnalysisManager &FAM)
      : L(L), F(*L.getHeader()->getParent()),
        DL(F.getParent()->getDataLayout()), Pointers(L),
        NeedsAligned(NeedsAligned), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        AC(FAM.getResult<AssumptionAnalysis>(F)) {}

  bool run() {
    SmallVector<CallInst *, 4> Compares;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB)
        if (isCompare(I) && isShortAndRemote(cast<CallInst>(I)))
          Compares.push_back(cast<CallInst>(&I));
    for (CallInst *Call : Compares)
      split(*Call);
    return !Compares.empty();
  }

private:
  Loop &L;
  Function &F;
  const DataLayout &DL;
  RemotePointers Pointers;
  bool NeedsAligned;
  LoopInfo &LI;
  DominatorTree &DT;
  AssumptionCache &AC;

  bool isShortAndRemote(const CallInst &Call) const {
    auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(2));
    return Bytes && !Bytes->isZero() && Bytes->getValue().ule(LineBytes) &&
           (Pointers.isRemote(Call.getArgOperand(0)) ||
            Pointers.isRemote(Call.getArgOperand(1)));
  }

  static uint64_t bytesOf(const CallInst &Call) {
    return cast<ConstantInt>(Call.getArgOperand(2))->getZExtValue();
  }

  /// So that each of its pieces is aligned.
  Align neededAlignment(const CallInst &Call) const {
    return NeedsAligned
               ? Align(std::min<uint64_t>(WordBytes, bit_floor(bytesOf(Call))))
               : Align();
  }

  Align knownAlignment(CallInst &Call, unsigned Side) const {
    return getKnownAlignment(Call.getArgOperand(Side), DL, &Call, &AC, &DT);
  }

  void split(CallInst &Call) {
    IRBuilder<> B(&Call);
    const Align Needed = neededAlignment(Call);
    Align Known[2], Sides[2], Least = Needed;
    Value *Places = nullptr; // whose alignment is not known
    for (unsigned Side : {0, 1}) {
      Value *Place = Call.getArgOperand(Side);
      Sides[Side] = Known[Side] = knownAlignment(Call, Side);
      if (Sides[Side] >= Needed || !Pointers.isRemote(Place))
        continue;
      Sides[Side] = Needed;
      if (isAlignedLater(Call, Place, Needed, DL)) {
        Known[Side] = Needed;
        continue;
      }
      Least = std::min(Least, Known[Side]);
      Place = B.CreatePtrToInt(Place, DL.getIntPtrType(B.getContext()));
      Places = Places ? B.CreateOr(Places, Place) : Place;
    }
    if (!Places) {
      Call.replaceAllUsesWith(compare(B, Call, Sides, WordBytes));
      Call.eraseFromParent();
      return;
    }
    Value *Aligned = B.CreateIsNull(B.CreateAnd(Places, Needed.value() - 1));
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    Instruction *Then, *Else;
    SplitBlockAndInsertIfThenElse(
        Aligned, &Call, &Then, &Else,
        MDBuilder(B.getContext()).createBranchWeights(99, 1), &Updater, &LI);
    B.SetInsertPoint(Then);
    Value *Whole = compare(B, Call, Sides, WordBytes);
    B.SetInsertPoint(Else);
    Value *Parts = compare(B, Call, Known, Least.value());
    B.SetInsertPoint(&Call);
    PHINode *Phi = B.CreatePHI(Call.getType(), 2, "compared");
    Phi->addIncoming(Whole, Then->getParent());
    Phi->addIncoming(Parts, Else->getParent());
    Call.replaceAllUsesWith(Phi);
    Call.eraseFromParent();
  }

  /// Of what memory has first, which decides, as a number.
  static Value *inOrder(IRBuilderBase &B, Value *Piece) {
    return Piece->getType()->isIntegerTy(8)
               ? Piece
               : B.CreateUnaryIntrinsic(Intrinsic::bswap, Piece);
  }

  /// By pieces of at most \p Most bytes.
  Value *compare(IRBuilderBase &B, const CallInst &Call, ArrayRef<Align> Sides,
                 uint64_t Most) const {
    SmallVector<std::pair<Value *, Value *>, 8> Pieces;
    uint64_t Bytes = bytesOf(Call);
    for (uint64_t Offset = 0; Offset != Bytes;) {
      uint64_t Some = std::min(Most, bit_floor(Bytes - Offset));
      Pieces.push_back(
          {loadPiece(B, Call.getArgOperand(0), Sides[0], {Offset, Some}, Call),
           loadPiece(B, Call.getArgOperand(1), Sides[1], {Offset, Some},
                     Call)});
      Offset += Some;
    }
    if (isOnlyUsedInZeroEqualityComparison(&Call)) {
      Value *Differ = B.getInt64(0);
      for (auto [First, Second] : Pieces)
        Differ = B.CreateOr(
            Differ, B.CreateZExt(B.CreateXor(First, Second), B.getInt64Ty()));
      return B.CreateZExt(B.CreateIsNotNull(Differ), Call.getType());
    }
    Value *Result = B.getInt32(0);
    for (auto [First, Second] : reverse(Pieces)) {
      Value *Less = B.CreateICmpULT(inOrder(B, First), inOrder(B, Second));
      Result = B.CreateSelect(
          B.CreateICmpNE(First, Second),
          B.CreateSelect(Less, B.getInt32(-1), B.getInt32(1)), Result);
    }
    return Result;
  }
};

} // namespace

void asyncmem::splitCompares(Loop &L, bool NeedsAligned,
                             FunctionAnalysisManager &FAM) {
  if (!CompareSplitter(L, NeedsAligned, FAM).run())
    return;
  PreservedAnalyses Kept;
  Kept.preserve<DominatorTreeAnalysis>();
  Kept.preserve<LoopAnalysis>();
  Kept.preserve<AssumptionAnalysis>();
  FAM.invalidate(*L.getHeader()->getParent(), Kept);
}
