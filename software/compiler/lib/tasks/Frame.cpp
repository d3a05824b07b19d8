// SPDX-License-Identifier: Apache-2.0

#include "tasks/Frame.h"
#include "common/MemoryVariables.h"
#include "common/Names.h"
#include "common/Target.h"
#include "tasks/DebugValues.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace asyncmem;

Frame::Frame(Function &F, SmallVectorImpl<BasicBlock *> &Blocks,
             ArrayRef<Suspension> Suspensions,
             ArrayRef<AllocaInst *> PrivateMemory, unsigned HeaderBytes,
             bool IsFresh)
    : F(F), Blocks(Blocks), Suspensions(Suspensions),
      PrivateMemory(PrivateMemory), HeaderBytes(HeaderBytes), IsFresh(IsFresh) {
}

Frame::Crossings Frame::findCrossings() const {
  Liveness Live(Blocks);
  Crossings Result;
  for (unsigned S = 0; S != Suspensions.size(); ++S)
    for (Instruction *V : Live.liveIn(Suspensions[S].After)) {
      BitVector &Set = Result[V];
      Set.resize(Suspensions.size());
      Set.set(S);
    }
  return Result;
}

void Frame::sinkPrivateAddresses() { sinkAddresses(PrivateMemory); }

bool Frame::isCheap(Instruction *V, const Crossings &Live,
                    const BitVector &Needed, unsigned Budget) const {
  bool Division = V->isIntDivRem();
  bool Kind =
      isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst, SelectInst>(V);
  if (!Budget || !Kind || Division || V->getType()->isFPOrFPVectorTy())
    return false;
  for (Value *Op : V->operands()) {
    auto *I = dyn_cast<Instruction>(Op);
    if (!I || !is_contained(Blocks, I->getParent()))
      continue;
    auto Found = Live.find(I);
    bool Kept = Found != Live.end() && !Needed.test(Found->second);
    if (!Kept && !isCheap(I, Live, Needed, Budget - 1))
      return false;
  }
  return true;
}

Instruction *Frame::cloneAt(Instruction *V, Instruction *Position,
                            const Crossings &Live) const {
  Instruction *Clone = V->clone();
  Clone->insertBefore(Position);
  const BitVector &Needed = Live.find(V)->second;
  for (Use &Op : Clone->operands()) {
    auto *I = dyn_cast<Instruction>(Op);
    if (!I || !is_contained(Blocks, I->getParent()))
      continue;
    auto Found = Live.find(I);
    if (Found != Live.end() && !Needed.test(Found->second))
      continue;
    Instruction *Inner = I->clone();
    Inner->insertBefore(Clone);
    Op.set(Inner);
  }
  return Clone;
}

void Frame::rematerialize() {
  static_assert(cost::RematerializedOperations == 2,
                "cloneAt copies two levels");
  bool Changed = true;
  while (Changed) {
    Changed = false;
    Crossings Live = findCrossings();
    for (auto &[V, Set] : Live) {
      if (!isCheap(V, Live, Set, cost::RematerializedOperations))
        continue;
      // What a suspension hands to a phi behind it stays.
      for (Use &U : make_early_inc_range(V->uses())) {
        Instruction *Position = positionOf(U);
        if (Position->getParent() == V->getParent())
          continue;
        U.set(cloneAt(V, Position, Live));
        Changed = true;
      }
      if (Changed)
        break;
    }
  }
}

/// Copies for phis stand on edges. The end of a block that leads elsewhere, too,
/// is no such place: a phi with one entry becomes its operand.
void Frame::splitCriticalEdges() {
  for (BasicBlock *BB : Blocks)
    if (BB->getSinglePredecessor())
      FoldSingleEntryPHINodes(BB);
  for (unsigned I = 0; I != Blocks.size(); ++I) {
    Instruction *End = Blocks[I]->getTerminator();
    for (unsigned S = 0; S != End->getNumSuccessors(); ++S)
      if (is_contained(Blocks, End->getSuccessor(S)))
        if (BasicBlock *New = SplitCriticalEdge(End, S))
          Blocks.insert(Blocks.begin() + I + 1, New);
  }
}

void Frame::layout() {
  splitCriticalEdges();
  SmallVector<Instruction *, 16> Values;
  for (auto &[V, Set] : findCrossings())
    Values.push_back(V);
  BodyGraph Graph(Blocks, Suspensions);
  for (Web &W : buildWebs(Values, Blocks))
    Fields.push_back({W, IsFresh ? Placement() : placeAccesses(W, Graph)});
  for (const Suspension &S : Suspensions)
    Frequencies.push_back(Graph.frequency(Graph.number(S.After)));
  assignOffsets(Graph);
}

/// Large alignments first: no holes, except the one behind the header. Among
/// equals what is accessed most often: the cache lines of a large frame that
/// the innermost suspensions need are few.
void Frame::assignOffsets(const BodyGraph &Graph) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  auto Frequency = [&](const Placement &P) {
    uint64_t Sum = 0;
    auto Count = [&](unsigned B) {
      Sum += 1ull << 3 * std::min(Graph.depth(B), 8u);
    };
    for (const auto &Saved : P.SaveDefinition)
      Count(Saved.Block);
    for_each(P.ReloadAt, Count);
    for (const auto *List : {&P.SaveOn, &P.ReloadOn})
      for (const FlowEdge &E : *List)
        Count(E.To);
    return Sum;
  };
  stable_sort(Fields, [&](const Field &A, const Field &B) {
    Align AlignA = DL.getABITypeAlign(A.Values.type());
    Align AlignB = DL.getABITypeAlign(B.Values.type());
    return AlignA != AlignB ? AlignA > AlignB
                            : Frequency(A.Accesses) > Frequency(B.Accesses);
  });
  uint64_t End = HeaderBytes;
  Align Largest(8);
  auto Place = [&](uint64_t Bytes, Align Alignment) {
    Largest = std::max(Largest, Alignment);
    uint64_t Offset = alignTo(End, Alignment);
    End = Offset + Bytes;
    return Offset;
  };
  /// A place in the frame, and when it holds a variable.
  struct TakenPlace {
    uint64_t Offset, Bytes;
    BitVector Points;
  };
  SmallVector<TakenPlace, 8> Taken;
  for (Field &V : Fields) {
    if (IsFresh)
      break;
    uint64_t Bytes = DL.getTypeStoreSize(V.Values.type()).getFixedValue();
    Align Alignment = DL.getABITypeAlign(V.Values.type());
    BitVector Points = pointsInFrame(V.Accesses, Graph);
    auto *Free = find_if(Taken, [&](const TakenPlace &P) {
      return P.Bytes >= Bytes && isAligned(Alignment, P.Offset) &&
             !P.Points.anyCommon(Points);
    });
    if (Free == Taken.end()) {
      Taken.push_back({Place(Bytes, Alignment), Bytes, Points});
      Free = &Taken.back();
    }
    Free->Points |= Points;
    V.Offset = Free->Offset;
  }
  if (IsFresh)
    FreshOffset = Place(8, Align(8));
  for (AllocaInst *A : PrivateMemory)
    MemoryOffset[A] =
        Place(A->getAllocationSize(DL)->getFixedValue(), A->getAlign());
  Alignment = Largest.value();
  // A frame that fits in a cache line does not straddle two.
  End = std::max<uint64_t>(alignTo(End, Largest), Alignment);
  Size = End <= LineBytes ? PowerOf2Ceil(End) : alignTo(End, LineBytes);
}

Value *Frame::address(IRBuilderBase &Builder, unsigned Offset) const {
  Value *Pointer = Builder.CreateLoad(Builder.getPtrTy(), Base);
  return Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Pointer,
                                            Offset);
}

Instruction *Frame::positionOn(const FlowEdge &E) const {
  Instruction *End = Blocks[E.From]->getTerminator();
  return End->getNumSuccessors() == 1 ? End
                                      : &*Blocks[E.To]->getFirstInsertionPt();
}

/// Reads the variable wherever a value of the web was used, except behind its
/// definition in the same block.
void Frame::readVariables(Field &V) {
  DenseMap<Instruction *, Value *> AtPosition;
  for (Instruction *Member : V.Values.Members)
    for (Use &U : make_early_inc_range(Member->uses())) {
      Instruction *Position = positionOf(U);
      if (V.Values.contains(U.getUser()) && isa<PHINode>(U.getUser()))
        continue;
      if (!isa<PHINode>(Member) && Position->getParent() == Member->getParent())
        continue;
      Value *&Read = AtPosition[Position];
      if (!Read)
        Read = IRBuilder<>(Position).CreateLoad(V.Values.type(), V.Current);
      U.set(Read);
    }
}

void Frame::defineVariables(Field &V) {
  for (Instruction *Member : V.Values.Members) {
    auto *Phi = dyn_cast<PHINode>(Member);
    if (!Phi) {
      IRBuilder<>(Member->getNextNode()).CreateStore(Member, V.Current);
      continue;
    }
    SmallPtrSet<BasicBlock *, 4> Done;
    for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I) {
      BasicBlock *From = Phi->getIncomingBlock(I);
      if (!V.Values.contains(Phi->getIncomingValue(I)) &&
          Done.insert(From).second)
        IRBuilder<>(From->getTerminator())
            .CreateStore(Phi->getIncomingValue(I), V.Current);
    }
  }
}

void Frame::save(Field &V, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Part);
  Value *Now = B.CreateLoad(V.Values.type(), V.Current);
  B.CreateStore(Now, address(B, V.Offset))
      ->setMetadata(ContextTag, MDNode::get(F.getContext(), {}));
}

void Frame::reload(Field &V, Instruction *Before) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Part);
  LoadInst *Saved = B.CreateLoad(V.Values.type(), address(B, V.Offset),
                                 V.Values.Members.front()->getName());
  Saved->setMetadata(ContextTag, MDNode::get(F.getContext(), {}));
  B.CreateStore(Saved, V.Current);
}

void Frame::erasePhis(Field &V) {
  for (Instruction *Member : V.Values.Members)
    if (isa<PHINode>(Member)) {
      Member->replaceAllUsesWith(PoisonValue::get(Member->getType()));
      Member->eraseFromParent();
    }
}

bool Frame::livesAcross(const Value *V, unsigned S, const Crossings &Live) {
  auto Found = Live.find(const_cast<Instruction *>(dyn_cast<Instruction>(V)));
  return Found != Live.end() && Found->second.test(S);
}

/// \returns where \p V lies while suspension \p S lasts.
std::optional<unsigned> Frame::keptAt(const Value *V, unsigned S,
                                      const Crossings &Live) const {
  if (IsFresh || !livesAcross(V, S, Live))
    return std::nullopt;
  auto Of =
      find_if(Fields, [&](const Field &F) { return F.Values.contains(V); });
  return Of == Fields.end() ? std::nullopt : std::optional(Of->Offset);
}

void Frame::emit(Variables &Vars, const FramePointer &Pointer,
                 const DebugLoc &Where) {
  Part = Where;
  assert(Size && "layout comes first");
  const auto InMemory = takeMemoryVariables(PrivateMemory);
  const DebugValues Debug(Blocks, Suspensions);
  const Crossings Live = findCrossings();
  Base = Vars.create(PointerType::getUnqual(F.getContext()), "frame.base");
  // All reads before any definition: copies for phis happen at the same time.
  for (Field &V : Fields) {
    V.Current = Vars.create(V.Values.type(),
                            V.Values.Members.front()->getName() + ".current");
    readVariables(V);
  }
  for (Field &V : Fields) {
    declareVariable(*V.Current, V.Values.Members.getArrayRef());
    defineVariables(V);
    for (auto [B, Definition] : V.Accesses.SaveDefinition)
      // Behind the definition and the store to its variable.
      save(V, Definition ? Definition->getNextNode()->getNextNode()
                         : Blocks[B]->getTerminator());
    for (const FlowEdge &E : V.Accesses.ReloadOn)
      reload(V, positionOn(E));
    for (unsigned B : V.Accesses.ReloadAt)
      reload(V, &*Blocks[B]->getFirstInsertionPt());
    for (const FlowEdge &E : V.Accesses.SaveOn)
      save(V, positionOn(E));
  }
  if (IsFresh)
    for (unsigned S = 0; S != Suspensions.size(); ++S)
      emitFresh(S, Live);
  auto SetBase = [&](BasicBlock *BB) {
    IRBuilder<> B(&*BB->getFirstInsertionPt());
    B.SetCurrentDebugLocation(Part);
    return B.CreateStore(Pointer(B), Base);
  };
  auto ShowMemory = [&](StoreInst &Here) {
    for (const MemoryVariable &V : InMemory)
      V.emit(Here, MemoryOffset.lookup(V.Memory));
  };
  ShowMemory(*SetBase(Blocks.front()));
  for (unsigned S = 0; S != Suspensions.size(); ++S) {
    StoreInst *Here = SetBase(Suspensions[S].After);
    ShowMemory(*Here);
    Debug.emit(S, *Here, [&](const Value *V) { return keptAt(V, S, Live); });
  }
  for (Field &V : Fields)
    erasePhis(V);
  moveMemory();
}

void Frame::emitFresh(unsigned S, const Crossings &Live) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  struct Saved {
    Field *Of;
    Type *Ty;
    Align Alignment;
    uint64_t Offset;
  };
  SmallVector<Saved, 8> All;
  uint64_t End = 0;
  for (Field &V : Fields)
    if (any_of(V.Values.Members,
               [&](Instruction *I) { return livesAcross(I, S, Live); })) {
      Type *Ty = V.Values.type();
      Align Alignment = std::min(DL.getABITypeAlign(Ty), Align(8));
      All.push_back({&V, Ty, Alignment, alignTo(End, Alignment)});
      End = All.back().Offset + DL.getTypeStoreSize(Ty).getFixedValue();
    }
  if (All.empty())
    return;
  IRBuilder<> B(Suspensions[S].Before->getTerminator());
  B.SetCurrentDebugLocation(Part);
  auto Tagged = [&](Instruction *Access) {
    Access->setMetadata(ContextTag, MDNode::get(F.getContext(), {}));
    return Access;
  };
  Module &M = *F.getParent();
  Value *Fresh = B.CreateCall(
      M.getOrInsertFunction("malloc", B.getPtrTy(), B.getInt64Ty()),
      B.getInt64(End), "fresh");
  Tagged(B.CreateStore(Fresh, address(B, FreshOffset)));
  for (const Saved &V : All)
    Tagged(B.CreateAlignedStore(
        B.CreateLoad(V.Ty, V.Of->Current),
        B.CreateConstGEP1_64(B.getInt8Ty(), Fresh, V.Offset), V.Alignment));
  B.SetInsertPoint(&*Suspensions[S].After->getFirstInsertionPt());
  Fresh = Tagged(B.CreateLoad(B.getPtrTy(), address(B, FreshOffset)));
  for (const Saved &V : All)
    B.CreateStore(
        Tagged(B.CreateAlignedLoad(
            V.Ty, B.CreateConstGEP1_64(B.getInt8Ty(), Fresh, V.Offset),
            V.Alignment, V.Of->Values.Members.front()->getName())),
        V.Of->Current);
  B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
               Fresh);
}

void Frame::moveMemory() {
  for (AllocaInst *A : PrivateMemory) {
    for (Use &U : make_early_inc_range(A->uses())) {
      auto *User = cast<Instruction>(U.getUser());
      if (isLifetime(*User)) {
        User->eraseFromParent();
        continue;
      }
      IRBuilder<> Builder(positionOf(U));
      U.set(address(Builder, MemoryOffset.lookup(A)));
    }
    A->eraseFromParent();
  }
}
