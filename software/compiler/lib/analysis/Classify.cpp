// SPDX-License-Identifier: Apache-2.0
// Classes of the values one iteration hands to the next (section III-B).
//
// Sequential: the next value and the end condition follow from sequential
// values alone, by pure operations; they are computed before a task starts.
// Shared: the value is only updated by one commutative operation; tasks update
// it in place, in any order. Everything else that lives in the body is private
// to its task. A carried value that is neither is a reason to refuse.
//
// Algorithm: all are taken for sequential, and those dropped, one after the other, whose
// straight-line slice fails. Of these the ones are shared whose uses lead over updates
// by one operation back to the phi, with one version at a time. The rest is tried as
// sequential again, now with control flow and remote loads, which launch makes then.
//
//   while (p) { sum += p->v; p = p->next; }   p is sequential, sum is shared

#include "analysis/Analyses.h"
#include "analysis/Slice.h"
#include "common/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// The operation of an update, or 0: Sub counts as Add, an intrinsic as itself.
struct Operation {
  unsigned Opcode = 0;
  Intrinsic::ID Intrinsic = Intrinsic::not_intrinsic;
  bool operator==(const Operation &Other) const {
    return Opcode == Other.Opcode && Intrinsic == Other.Intrinsic;
  }
  bool valid() const { return Opcode || Intrinsic; }
};

Operation operationOf(const Instruction &I, const Value *Chain) {
  if (auto *Binary = dyn_cast<BinaryOperator>(&I))
    return {commutativeOpcode(*Binary, Chain)};
  if (auto *MinMax = dyn_cast<MinMaxIntrinsic>(&I))
    return {0, MinMax->getIntrinsicID()};
  return {};
}

/// Follows the uses of one carried value through the loop.
class ChainFinder {
public:
  ChainFinder(const TaskLoop &T, SharedUpdate &S) : T(T), S(S) {}

  /// Of its versions; behind find() those that keep a place at the newest value.
  SmallVector<StoreInst *, 2> Stores;

  /// \returns null if \p S.Phi is a shared value, else what prevents it.
  const char *find() {
    if (const char *Why = findVersions())
      return Why;
    SmallVector<StoreInst *, 2> OfNewest;
    copy_if(Stores, std::back_inserter(OfNewest), [&](const StoreInst *Store) {
      return holdsNewest(Store->getPointerOperand());
    });
    Stores = OfNewest;
    return checkOneVersion();
  }

  /// Likewise, whatever versions of it are needed at a time.
  const char *findVersions() {
    S.Chain.insert(S.Phi);
    for (unsigned I = 0; I != S.Chain.size(); ++I)
      if (const char *Why = follow(S.Chain[I]))
        return Why;
    for (Instruction *I : S.Chain) {
      auto *Phi = dyn_cast<PHINode>(I);
      if (!Phi)
        continue;
      for (BasicBlock *Pred : Phi->blocks())
        if (T.L->contains(Pred) &&
            !inChain(Phi->getIncomingValueForBlock(Pred)))
          return "is sometimes overwritten";
    }
    return S.Updates.empty() ? "is never updated" : nullptr;
  }

  /// Updating in place needs that no older value of the chain is still wanted
  /// when an update has made a newer one.
  const char *checkOneVersion() const {
    for (const Instruction *Update : S.Updates)
      for (const Instruction *Old : S.Chain)
        if (Old != Update && isWantedAfter(*Old, *Update))
          return "is needed again after it was updated";
    return nullptr;
  }

private:
  const TaskLoop &T;
  SharedUpdate &S;
  Operation Op;

  bool inChain(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && S.Chain.contains(I);
  }

  const char *follow(Instruction *Value) {
    for (User *U : Value->users()) {
      auto *I = cast<Instruction>(U);
      if (!T.L->contains(I))
        continue;
      if (isa<PHINode>(I)) {
        S.Chain.insert(I);
        continue;
      }
      if (isStoredAtOnce(*Value, *I)) {
        Stores.push_back(cast<StoreInst>(I));
        continue;
      }
      Operation Found = operationOf(*I, Value);
      if (!Found.valid())
        return "is read by other than commutative updates of itself";
      if (Op.valid() && !(Found == Op))
        return "is updated by different operations";
      Op = Found;
      if (S.Chain.insert(I))
        S.Updates.push_back(I);
    }
    return nullptr;
  }

  /// If all results of updates go to a fixed place in memory right away, it has
  /// the newest value, in whatever order the updates run.
  bool isStoredAtOnce(const Instruction &Value, const Instruction &I) const {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || Store->getValueOperand() != &Value || T.isRemote(Store) ||
        isa<PHINode>(Value) || Store->getParent() != Value.getParent() ||
        !T.L->isLoopInvariant(Store->getPointerOperand()))
      return false;
    for (const Instruction *J = &Value; J != Store; J = J->getNextNode())
      if (T.isRemote(J))
        return false;
    return true;
  }

  /// \returns true if every update leaves its result at \p Pointer before another
  /// task can run.
  bool holdsNewest(const Value *Pointer) const {
    return all_of(S.Updates, [&](const Instruction *Update) {
      const Value *Newest = Update, *Held = nullptr;
      for (const Instruction *I = Update; I && !T.isRemote(I);
           I = I->getNextNode()) {
        if (is_contained(S.Updates, I))
          Newest = I;
        auto *Store = dyn_cast<StoreInst>(I);
        if (is_contained(Stores, Store) &&
            Store->getPointerOperand() == Pointer)
          Held = Store->getValueOperand();
      }
      return Held == Newest;
    });
  }

  /// \returns true if a path inside one iteration leads from \p Update to a
  /// use of \p Old in the chain without defining \p Old anew.
  bool isWantedAfter(const Instruction &Old, const Instruction &Update) const {
    SmallPtrSet<const BasicBlock *, 16> Seen;
    SmallVector<const Instruction *, 16> Work = {Update.getNextNode()};
    while (!Work.empty()) {
      const Instruction *I = Work.pop_back_val();
      for (; I && I != &Old; I = I->getNextNode()) {
        if (is_contained(S.Updates, I) && is_contained(I->operands(), &Old))
          return true;
        if (!I->isTerminator())
          continue;
        for (const BasicBlock *Next : successors(I->getParent())) {
          bool Leaves = !T.L->contains(Next);
          for (const PHINode &Phi : Next->phis())
            if ((Leaves || S.Chain.contains(const_cast<PHINode *>(&Phi))) &&
                Phi.getIncomingValueForBlock(I->getParent()) == &Old)
              return true;
          if (Leaves)
            continue;
          bool Redefined = isa<PHINode>(Old) && Old.getParent() == Next;
          if (Next != T.Header && !Redefined && Seen.insert(Next).second)
            Work.push_back(Next->getFirstNonPHI());
        }
      }
    }
    return false;
  }
};

/// Why a carried value has no class.
struct Reason {
  const char *Text;
  const char *Hint;
  DebugLoc Where;
};
using ReasonMap = DenseMap<PHINode *, Reason>;

/// Drops those of \p Candidates from \p Sequential that cannot be computed from
/// the rest; \p Why keeps the reason for each one dropped, and its place.
void findSequential(const TaskLoop &T, const IterationGraph &Graph,
                    AAResults &AA, bool Strict, ArrayRef<PHINode *> Candidates,
                    SmallPtrSetImpl<PHINode *> &Sequential, ReasonMap &Why) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (PHINode *Phi : Candidates) {
      if (!Sequential.contains(Phi))
        continue;
      Slicer Slice(T, Graph, AA, Sequential, Strict);
      if (const char *Text =
              Slice.add(Phi->getIncomingValueForBlock(T.Latch))) {
        Why[Phi] = {Text, Slice.Hint, Slice.Culprit->getDebugLoc()};
        Sequential.erase(Phi);
        Changed = true;
      }
    }
  }
}

/// \returns true if \p Phi is shared and all its values go to memory at once.
bool isKeptInMemory(const TaskLoop &T, PHINode *Phi) {
  SharedUpdate S;
  S.Phi = Phi;
  ChainFinder Finder(T, S);
  return !Finder.find() && !Finder.Stores.empty();
}

/// \returns true if another shared value than that of \p Store is stored to its
/// place: which one stays there depends on the order.
bool isOverwritten(const TaskLoop &T, const StoreInst &Store, AAResults &AA) {
  auto ChainOf = [&](const StoreInst *Of) {
    auto *V = dyn_cast<Instruction>(const_cast<Value *>(Of->getValueOperand()));
    return find_if(T.Shared,
                   [&](const SharedUpdate &S) { return S.Chain.contains(V); });
  };
  return any_of(T.SharedStores, [&](const StoreInst *Other) {
    return ChainOf(Other) != ChainOf(&Store) &&
           AA.isMustAlias(MemoryLocation::get(Other),
                          MemoryLocation::get(&Store));
  });
}

DebugLoc updateLocation(const PHINode &Phi, BasicBlock *Latch) {
  auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
  return Next ? Next->getDebugLoc() : Phi.getDebugLoc();
}

/// \p Phi has no class because of \p Why. A part of a structure bears the name
/// of the whole, which no clause could share.
bool refuseCarried(Refusal &No, const TaskLoop &T, const PHINode &Phi,
                   const Reason &Why) {
  StringRef Name = Phi.getName();
  std::string Variable;
  if (Name.consume_front(VariablePrefix))
    Variable = Name.take_until([](char C) { return C == '.'; }).str();
  const bool IsField = Name.contains(".sroa.");
  No.Why = (Variable.empty() ? std::string("a value")
                             : "the value of '" + Variable + "'") +
           " carried from one iteration to the next " + Why.Text +
           (IsField && Why.Hint == FloatHint ? FieldHint : Why.Hint);
  bool HasPlace = Why.Where && Why.Where.getLine();
  No.Where = HasPlace ? Why.Where : updateLocation(Phi, T.Latch);
  if (!IsField)
    No.Variable = Variable;
  return false;
}

} // namespace

std::optional<SharedUpdate> asyncmem::findManyVersions(const TaskLoop &T,
                                                       PHINode *Phi) {
  SharedUpdate S;
  S.Phi = Phi;
  ChainFinder Finder(T, S);
  // An update of one version by another one adds the value to itself.
  auto IsOfOne = [&](const Instruction *Update) {
    return count_if(Update->operands(), [&](Value *Op) {
             auto *I = dyn_cast<Instruction>(Op);
             return I && S.Chain.contains(I);
           }) == 1;
  };
  // What another iteration takes is a version of that one.
  auto IsInIteration = [&](const Instruction *Version) {
    return Version == Phi || Version->getParent() != T.Header ||
           !isa<PHINode>(Version);
  };
  if (Finder.findVersions() || !Finder.Stores.empty() ||
      !Finder.checkOneVersion() || !all_of(S.Updates, IsOfOne) ||
      !all_of(S.Chain, IsInIteration))
    return std::nullopt;
  return S;
}

bool asyncmem::classifyCarriedValues(TaskLoop &T, AAResults &AA, Refusal &No) {
  IterationGraph Graph(T);
  SmallPtrSet<PHINode *, 8> Sequential;
  ReasonMap Why;
  SmallVector<PHINode *, 8> Carried;
  for (PHINode &Phi : T.Header->phis())
    Carried.push_back(&Phi);
  // Straight-line recurrences first, then shared values; what is neither may
  // still be computed at launch by a copy of the control flow. A counter that is
  // stored at each update is shared: the store takes the newest value.
  for (PHINode *Phi : Carried)
    if (!isKeptInMemory(T, Phi))
      Sequential.insert(Phi);
  findSequential(T, Graph, AA, /*Strict=*/true, Carried, Sequential, Why);
  SmallVector<PHINode *, 4> Rest;
  for (PHINode *Phi : Carried) {
    if (Sequential.contains(Phi))
      continue;
    SharedUpdate S;
    S.Phi = Phi;
    ChainFinder Finder(T, S);
    if (const char *Text = Finder.find()) {
      if (!S.Updates.empty() || Phi->getType()->isFloatingPointTy())
        Why[Phi] = {Text, Phi->getType()->isFloatingPointTy() ? FloatHint : "",
                    updateLocation(*Phi, T.Latch)};
      // In order it would be right, too, but a clause is what is meant.
      if (Phi->getType()->isFloatingPointTy())
        return refuseCarried(No, T, *Phi, Why[Phi]);
      Rest.push_back(Phi);
      continue;
    }
    T.Shared.push_back(std::move(S));
    T.SharedStores.append(Finder.Stores.begin(), Finder.Stores.end());
  }
  SmallVector<StoreInst *, 2> Kept;
  copy_if(T.SharedStores, std::back_inserter(Kept),
          [&](StoreInst *Store) { return !isOverwritten(T, *Store, AA); });
  T.SharedStores = Kept;
  Sequential.insert(Rest.begin(), Rest.end());
  ReasonMap NotSequential;
  findSequential(T, Graph, AA, /*Strict=*/false, Rest, Sequential,
                 NotSequential);
  for (PHINode *Phi : Rest)
    if (!Sequential.contains(Phi))
      return refuseCarried(No, T, *Phi, NotSequential[Phi]);

  Slicer Slice(T, Graph, AA, Sequential, /*Strict=*/false);
  const char *Text = Slice.addExits();
  for (PHINode *Phi : Carried)
    if (Sequential.contains(Phi)) {
      T.Sequential.push_back(Phi);
      if (!Text)
        Text = Slice.add(Phi->getIncomingValueForBlock(T.Latch));
    }
  if (Text) {
    No.Why = std::string("whether it ends ") + Text +
             (Slice.Hint == LockHint ? "" : Slice.Hint);
    No.Where = Slice.Culprit->getDebugLoc();
    return false;
  }
  T.Slice.insert(Slice.Instructions.begin(), Slice.Instructions.end());
  if (all_of(T.Remote, [&](Instruction *I) { return T.Slice.contains(I); })) {
    if (!Rest.empty())
      return refuseCarried(No, T, *Rest.front(), Why[Rest.front()]);
    No.Why = "all its remote data decide about the next iteration, there is "
             "nothing to overlap; mark a loop around it";
    No.Where = T.Remote.front()->getDebugLoc();
    return false;
  }
  // The task need not repeat a load that launch has made, unless the iteration
  // repeats it.
  erase_if(T.Remote, [&](Instruction *I) {
    if (!T.Slice.contains(I) || Graph.repeats(I->getParent()))
      return false;
    T.LaunchLoads.push_back(cast<LoadInst>(I));
    return true;
  });
  return true;
}
