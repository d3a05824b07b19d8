// SPDX-License-Identifier: Apache-2.0

#include "analysis/RemotePointers.h"
#include "common/Instructions.h"
#include "common/Request.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// How many dependent loads are compared to find two loads of one place.
constexpr unsigned MaxAddressDepth = 4;

/// \returns true if A and B compute one address in the same way.
bool sameAddress(const Value *A, const Value *B, const DataLayout &DL,
                 unsigned Depth) {
  if (A == B)
    return true;
  APInt OffsetA(64, 0), OffsetB(64, 0);
  A = A->stripAndAccumulateConstantOffsets(DL, OffsetA, true);
  B = B->stripAndAccumulateConstantOffsets(DL, OffsetB, true);
  if (OffsetA != OffsetB)
    return false;
  if (A == B)
    return true;
  auto *LoadA = dyn_cast<LoadInst>(A);
  auto *LoadB = dyn_cast<LoadInst>(B);
  return Depth && LoadA && LoadB &&
         sameAddress(LoadA->getPointerOperand(), LoadB->getPointerOperand(), DL,
                     Depth - 1);
}

/// \returns what \p V is an offset or a cast of, null if it is neither.
const Value *stripOnce(const Value *V) {
  if (auto *Gep = dyn_cast<GEPOperator>(V))
    return Gep->getPointerOperand();
  auto *Cast = dyn_cast<AddrSpaceCastOperator>(V);
  return Cast ? Cast->getPointerOperand() : nullptr;
}

const Value *stripOffsets(const Value *V) {
  while (const Value *Of = stripOnce(V))
    V = Of;
  return V;
}

/// \returns true if something may have the address of \p V but for its accesses.
bool isAddressTaken(const Value &V) {
  return any_of(V.users(), [&](const User *U) {
    if (isa<GEPOperator>(U))
      return isAddressTaken(*U);
    auto *Store = dyn_cast<StoreInst>(U);
    return !isa<LoadInst>(U) && !(Store && Store->getValueOperand() != &V);
  });
}

/// The products that an address is away from where its object begins.
using Products = MapVector<Value *, APInt>;

Products productsOf(const Value *V, const DataLayout &DL) {
  Products Found;
  unsigned Bits = DL.getIndexTypeSizeInBits(V->getType());
  APInt Constant(Bits, 0);
  for (; auto *Gep = dyn_cast<GEPOperator>(V); V = stripOnce(V))
    Gep->collectOffset(DL, Bits, Found, Constant);
  return Found;
}

/// \returns true if \p V is \p Root and an offset, in one address: the optimizer
/// makes one of "p = &w[i]" and "p->x".
bool isOffsetOf(const Value *V, const Value *Root, const DataLayout &DL) {
  Products OfRoot = productsOf(Root, DL), OfV = productsOf(V, DL);
  return !OfRoot.empty() &&
         sameAddress(stripOffsets(V), stripOffsets(Root), DL,
                     MaxAddressDepth) &&
         all_of(OfRoot, [&](const std::pair<Value *, APInt> &Product) {
           auto Same = OfV.find(Product.first);
           return Same != OfV.end() && Same->second == Product.second;
         });
}

} // namespace

void RemotePointers::collectSaved(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (MDNode *Tag = Store->getMetadata(LevelTag))
        SavedAs[Tag].push_back(Store->getValueOperand());
}

RemotePointers::RemotePointers(const Loop &L, ArrayRef<ClauseKind> Kinds)
    : Promising(&L) {
  collectSaved(*L.getHeader()->getParent());
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (callsFunction(I, PromisedFunction)) {
        auto &Call = cast<CallBase>(I);
        auto *Kind = cast<ConstantInt>(Call.getArgOperand(1));
        if (is_contained(Kinds, ClauseKind(Kind->getZExtValue())))
          addRoot(Call.getArgOperand(0), nullptr);
      }
}

RemotePointers::RemotePointers(const Loop &L) {
  Function &F = *L.getHeader()->getParent();
  collectSaved(F);
  bool IsUnmarked = false;
  for (Instruction &I : instructions(F)) {
    if (callsFunction(I, RemoteFunction)) {
      addRoot(cast<CallBase>(I).getArgOperand(0), &I);
      IsUnmarked |= saysUnmarked(I) && L.contains(&I);
    } else if (callsFunction(I, NearFunction)) {
      addNear(cast<CallBase>(I).getArgOperand(0));
    } else if (callsFunction(I, AllocFunction)) {
      addRoot(&I, &I);
    }
  }
  followLoads(F);
  if (IsUnmarked) {
    Varying = varyingValues(L);
    addMeetingUpdates(L);
  }
}

void RemotePointers::addNear(const Value *V) {
  V = stripOffsets(V);
  if (isa<Constant, AllocaInst>(V) || !Near.insert(V).second)
    return;
  if (auto *Phi = dyn_cast<PHINode>(V))
    for (const Value *In : Phi->incoming_values())
      addNear(In);
}

/// \returns true if \p U, which uses \p V, has a pointer to the same object, or an
/// integer that may become one.
static bool handsOn(const User &U, const Value &V) {
  if (auto *Gep = dyn_cast<GEPOperator>(&U))
    return Gep->getPointerOperand() == &V;
  if (auto *Select = dyn_cast<SelectInst>(&U))
    return Select->getCondition() != &V;
  if (auto *Call = dyn_cast<IntrinsicInst>(&U))
    return Call->getIntrinsicID() == Intrinsic::ptrmask;
  if (isa<BinaryOperator>(U))
    return any_of(U.operands(),
                  [](const Use &Op) { return isa<ConstantInt>(Op); });
  return isa<PHINode, FreezeInst, PtrToIntOperator, IntToPtrInst,
             ExtractValueInst, AddrSpaceCastOperator>(U);
}

/// \returns true if \p U may read a pointer out of what \p V points to.
static bool readsPointer(const User &U, const Value &V) {
  auto *I = dyn_cast<Instruction>(&U);
  if (!I || accessPointer(I) != &V || isa<StoreInst>(I))
    return false;
  Type *Ty = accessType(I);
  return Ty->isPointerTy() ||
         Ty == I->getModule()->getDataLayout().getIntPtrType(I->getContext());
}

/// Finds what comes out of remote memory, through any number of loads.
void RemotePointers::followLoads(Function &F) {
  SmallSetVector<const Value *, 32> Work;
  for (const auto &[Root, Mark] : Roots)
    Work.insert(Root);
  DenseMap<const MDNode *, SmallVector<const Value *, 2>> ReloadedAs;
  for (Instruction &I : instructions(F)) {
    if (!isa<LoadInst>(I))
      continue;
    if (MDNode *Tag = I.getMetadata(LevelTag))
      ReloadedAs[Tag].push_back(&I);
    if (isLoadedRoot(&I))
      Work.insert(&I);
  }
  for (unsigned N = 0; N != Work.size(); ++N) {
    const Value *V = Work[N];
    for (const User *U : V->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if ((I && I->getFunction() != &F) || Near.contains(U))
        continue;
      auto *Store = dyn_cast<StoreInst>(U);
      MDNode *Saved = Store ? Store->getMetadata(LevelTag) : nullptr;
      if (Saved && Store->getValueOperand() == V)
        Work.insert(ReloadedAs[Saved].begin(), ReloadedAs[Saved].end());
      bool Reads = readsPointer(*U, *V);
      if (!Reads && !handsOn(*U, *V))
        continue;
      Work.insert(U);
      if (U->getType()->isPointerTy() &&
          (Reads ||
           isa<IntToPtrInst, ExtractValueInst, FreezeInst, CallBase>(U)))
        Loaded.insert(U);
    }
  }
}

void RemotePointers::addRoot(const Value *V, const Instruction *Mark) {
  if (!Promising)
    V = stripOffsets(V);
  if (isa<Constant>(V) && !isa<GlobalVariable, GEPOperator>(V))
    return;
  if (isa<AllocaInst>(V) || !Roots.insert({V, Mark}).second)
    return;
  for (const Value *Saved : savedValues(V))
    addRoot(Saved, Mark);
  if (auto *Load = dyn_cast<LoadInst>(V))
    RootLoads.push_back(Load);
  else if (auto *Phi = dyn_cast<PHINode>(V)) {
    // What a promising loop begins with, the variable may have from outside.
    if (!Promising || Phi->getParent() != Promising->getHeader())
      for (const Value *In : Phi->incoming_values())
        addRoot(In, Mark);
  } else if (auto *Select = dyn_cast<SelectInst>(V))
    for (const Value *In : {Select->getTrueValue(), Select->getFalseValue()})
      addRoot(In, Mark);
}

ArrayRef<const Value *> RemotePointers::savedValues(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  auto Found = SavedAs.find(Load ? Load->getMetadata(LevelTag) : nullptr);
  return Found == SavedAs.end() ? ArrayRef<const Value *>() : Found->second;
}

bool RemotePointers::isRoot(const Value *V) const {
  if (Roots.contains(V))
    return true;
  if (Near.contains(V))
    return false;
  if (Loaded.contains(V) || isLoadedRoot(V))
    return true;
  auto *Gep = dyn_cast<GetElementPtrInst>(V);
  return Promising && Gep && any_of(Roots, [&](const auto &Root) {
           return isOffsetOf(V, Root.first, Gep->getModule()->getDataLayout());
         });
}

/// \returns true if \p V is loaded from where a root was.
bool RemotePointers::isLoadedRoot(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load || !Load->getType()->isPointerTy())
    return false;
  const DataLayout &DL = Load->getModule()->getDataLayout();
  return any_of(RootLoads, [&](const LoadInst *Root) {
    return sameAddress(Root->getPointerOperand(), Load->getPointerOperand(), DL,
                       MaxAddressDepth);
  });
}

RemotePointers::Sources RemotePointers::sources(const Value *Pointer) const {
  Sources Found;
  SmallVector<const Value *, 8> Work = {Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isRoot(V)) {
      Found.Root = V;
      continue;
    }
    if (Near.contains(V)) {
      Found.Unmarked.push_back(V);
      continue;
    }
    if (const Value *Of = stripOnce(V)) {
      Work.push_back(Of);
      continue;
    }
    auto Saved = savedValues(V);
    for (const Value *Old : Saved)
      Work.push_back(Old);
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      for (const Value *In : Phi->incoming_values())
        Work.push_back(In);
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Work.push_back(Select->getTrueValue());
      Work.push_back(Select->getFalseValue());
    } else if (Saved.empty()) {
      Found.Unmarked.push_back(V);
    }
  }
  return Found;
}

/// \returns true if \p Object is certainly no remote memory.
static bool isLocal(const Value *Object) {
  auto *Call = dyn_cast<CallBase>(Object);
  auto *Argument = dyn_cast<llvm::Argument>(Object);
  return isa<AllocaInst, Constant>(Object) || (Call && isHeapCall(*Call)) ||
         (Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address) ||
         (Argument && Argument->hasPassPointeeByValueCopyAttr()) ||
         (Argument && Argument->hasStructRetAttr());
}

bool RemotePointers::isKnownNear(const Value *Object) const {
  return Near.contains(Object) || isLocal(Object);
}

SmallVector<const Value *, 2>
RemotePointers::unmarkedObjects(const Value *Pointer) const {
  SmallVector<const Value *, 2> Objects = sources(Pointer).Unmarked;
  if (Varying)
    erase_if(Objects, [&](const Value *V) { return !isKnownNear(V); });
  return Objects;
}

bool RemotePointers::isUnknown(const Value *Pointer) const {
  Sources Found = sources(Pointer);
  return !Found.Root && !all_of(Found.Unmarked, [&](const Value *Object) {
    return isKnownNear(Object);
  });
}

bool RemotePointers::isRemote(const Value *Pointer) const {
  return sources(Pointer).Root ||
         (Varying && Varying->contains(Pointer) && isUnknown(Pointer));
}

std::string RemotePointers::reason(const Value *Pointer) const {
  Sources Found = sources(Pointer);
  auto Mark = Roots.find(Found.Root);
  if (Mark != Roots.end() && Mark->second) {
    const DebugLoc &Where = Mark->second->getDebugLoc();
    return (callsFunction(*Mark->second, AllocFunction) ? "from remote_alloc"
                                                        : "marked") +
           (Where ? " in line " + std::to_string(Where.getLine()) : "");
  }
  if (Mark != Roots.end())
    return "tasks meet there in updates";
  if (Found.Root)
    return Loaded.contains(Found.Root)
               ? "its pointer comes out of remote memory"
               : "loaded like a marked pointer";
  if (isRemote(Pointer))
    return "the loop has no mark, and the address depends on the iteration";
  if (any_of(Found.Unmarked, [&](const Value *V) { return Near.contains(V); }))
    return "__builtin_is_near says so";
  if (!isUnknown(Pointer))
    return "a local object";
  return Varying ? "the address is the same in every iteration"
                 : "no mark leads to it";
}

/// Where tasks update remote memory that may be this place, too, an update of it in one
/// step would get lost. What is said to be near is no such place.
void RemotePointers::addMeetingUpdates(const Loop &L) {
  SmallVector<const Value *, 8> Updated, Read;
  bool UpdatesRemote = false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const Value *Pointer = accessPointer(&I);
      if (!Pointer || isa<AllocaInst>(stripOffsets(Pointer)) ||
          Near.contains(stripOffsets(Pointer)))
        continue;
      // Ordered loads "may write".
      const bool Writes = !isa<LoadInst>(I) && I.mayWriteToMemory();
      if (isRemote(Pointer)) {
        UpdatesRemote |= Writes;
        continue;
      }
      auto *Variable = dyn_cast<GlobalVariable>(stripOffsets(Pointer));
      if (Variable && Variable->hasLocalLinkage() && !isAddressTaken(*Variable))
        continue;
      if (Writes)
        Updated.push_back(Pointer);
      if (I.mayReadFromMemory())
        Read.push_back(Pointer);
    }
  if (!UpdatesRemote)
    return;
  const DataLayout &DL = L.getHeader()->getModule()->getDataLayout();
  for (const Value *Pointer : Updated) {
    auto IsSame = [&](const Value *Other) {
      return sameAddress(Pointer, Other, DL, MaxAddressDepth);
    };
    if (none_of(Read, IsSame))
      continue;
    Roots.insert({Pointer, nullptr});
    for (const Value *Other : Read)
      if (IsSame(Other))
        Roots.insert({Other, nullptr});
  }
}
