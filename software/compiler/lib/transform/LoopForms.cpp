// SPDX-License-Identifier: Apache-2.0
// The marked loop in the form that the analyses know, once it is rotated.
//
// 1. Phis that inner forms of the loop have left behind are folded.
// 2. What the optimizer hands from one iteration to the next although each reads it
//    is read again.
// 3. Of tasks on the AMU: a product of the counter is a value that launch adds to.
//
//   for (a = r[0]; ...; a = b) { b = r[i + 1]; ... }  ->  for (...) { a = r[i]; b = r[i + 1]; ... }

#include "transform/Transforms.h"
#include "common/Blocks.h"
#include "common/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace asyncmem;

namespace {

/// The one value each phi of a loop has, or the phi itself.
class OnlyValues {
public:
  explicit OnlyValues(const Loop &L) {
    for (BasicBlock *BB : L.blocks())
      for (PHINode &Phi : BB->phis())
        Phis.push_back(&Phi);
    while (PHINode *Phi = propagate())
      Joins.insert(Phi);
  }

  Value *of(Value *V) const {
    auto Found = Known.find(V);
    return Found == Known.end() ? V : Found->second;
  }

private:
  SmallVector<PHINode *, 32> Phis;
  /// Phis where values meet.
  DenseSet<PHINode *> Joins;
  DenseMap<Value *, Value *> Known;

  /// Nothing is known of the other phis at first, and operands that are not
  /// known yet do not count, so that phis that only pass a value round in a cycle
  /// are seen to have that value. \returns another join, or null.
  PHINode *propagate() {
    for (PHINode *Phi : Phis)
      Known[Phi] = Joins.contains(Phi) ? Phi : nullptr;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (PHINode *Phi : Phis) {
        Value *&Only = Known.find(Phi)->second;
        if (Only == Phi)
          continue;
        for (Value *Operand : Phi->incoming_values()) {
          Value *Now = of(Operand);
          if (!Now || Now == Only)
            continue;
          if (Only)
            return Phi;
          Only = Now;
          Changed = true;
        }
      }
    }
    return nullptr;
  }
};

/// \returns true if the result of \p I follows from its operands alone: two
/// variables, exceptions or frozen values that look alike may differ.
bool isComputed(const Instruction &I) {
  return !isa<PHINode, AllocaInst, FreezeInst>(I) && !I.isEHPad() &&
         !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects();
}

/// \returns the operation that all operands of \p Phi are, made where the phi
/// stands, or null.
Instruction *computeHere(PHINode &Phi) {
  auto *First = dyn_cast<Instruction>(Phi.getIncomingValue(0));
  BasicBlock *BB = Phi.getParent();
  if (!First || !isComputed(*First) || is_contained(First->operands(), &Phi) ||
      BB->getFirstInsertionPt() == BB->end() ||
      !all_of(Phi.incoming_values(), [&](const Value *V) {
        auto *Other = dyn_cast<Instruction>(V);
        return Other && Other->isIdenticalToWhenDefined(First);
      }))
    return nullptr;
  Instruction *Here = First->clone();
  // The others may promise less.
  Here->dropPoisonGeneratingFlagsAndMetadata();
  for (const Value *Other : Phi.incoming_values())
    Here->andIRFlags(Other);
  Here->insertBefore(&*BB->getFirstInsertionPt());
  return Here;
}

} // namespace

void asyncmem::foldPhis(Loop &L, const DominatorTree &DT) {
  auto ReplaceAll = [&](function_ref<Value *(PHINode &)> Replacement) {
    bool Changed = false;
    for (BasicBlock *BB : L.blocks())
      for (PHINode &Phi : make_early_inc_range(BB->phis()))
        if (Value *New = Replacement(Phi)) {
          Phi.replaceAllUsesWith(New);
          Phi.eraseFromParent();
          Changed = true;
        }
    return Changed;
  };
  bool Changed = true;
  while (Changed) {
    OnlyValues Values(L);
    Changed = ReplaceAll([&](PHINode &Phi) -> Value * {
      Value *Only = Values.of(&Phi);
      return Only && Only != &Phi && DT.dominates(Only, &Phi) ? Only : nullptr;
    });
    Changed |= ReplaceAll(computeHere);
  }
}

namespace {

/// Follows a value to the loads it comes from, all from one address, and compares
/// them with what memory holds there later.
class LastReads {
public:
  /// \p Handed: the phi of the loop \p L in whose iterations these are; both null:
  /// in front of any.
  LastReads(Function &F, const Loop *L, const PHINode *Handed,
            ScalarEvolution &SE, AAResults &AA)
      : F(F), L(L), Handed(Handed), SE(SE), AA(AA) {}

  /// \returns true if \p V surely is in memory at address() at the end of \p End.
  bool hold(Value *V, const BasicBlock &End) {
    if (!follow(V, End) || Reads.empty())
      return false;
    SmallVector<BasicBlock *, 16> Blocks;
    for (BasicBlock &BB : F)
      if (!L || L->contains(&BB))
        Blocks.push_back(&BB);
    Place = anyPlace(*Reads.front(), Blocks);
    return all_of(Reads,
                  [&](const LoadInst *Load) {
                    return Load->isSimple() &&
                           Load->getType() == Reads.front()->getType() &&
                           SE.getSCEV(const_cast<Value *>(
                               Load->getPointerOperand())) == address();
                  }) &&
           all_of(Known, [&](auto Until) {
             return isUnchanged(*Until.first, *Until.second);
           });
  }

  /// \returns true if an iteration may hand on what it was handed.
  bool handOn() const { return HandsOn; }
  const LoadInst *read() const { return Reads.front(); }
  const SCEV *address() const {
    return SE.getSCEV(const_cast<Value *>(read()->getPointerOperand()));
  }

  bool mayChange(const Instruction &I) const {
    return isModSet(AA.getModRefInfo(&I, Place));
  }

private:
  Function &F;
  const Loop *L;
  const PHINode *Handed;
  ScalarEvolution &SE;
  AAResults &AA;
  bool HandsOn = false;
  SmallVector<const LoadInst *, 4> Reads;
  /// Values, and the ends of blocks until which they are what memory holds.
  SmallVector<std::pair<const Instruction *, const BasicBlock *>, 8> Known;
  SmallPtrSet<const PHINode *, 4> Seen;
  /// Any address that follows from the same object.
  MemoryLocation Place;

  bool follow(const Value *V, const BasicBlock &End) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || (L && !L->contains(I)))
      return false;
    Known.push_back({I, &End});
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      Reads.push_back(Load);
      return true;
    }
    auto *Phi = dyn_cast<PHINode>(I);
    if (Phi && Phi == Handed)
      return HandsOn = true;
    if (!Phi || !L || Phi->getParent() == L->getHeader())
      return false;
    return !Seen.insert(Phi).second ||
           all_of(Phi->blocks(), [&](const BasicBlock *From) {
             return follow(Phi->getIncomingValueForBlock(From), *From);
           });
  }

  /// \returns true if nothing writes there on a way from \p From to the end of
  /// \p End that does not come to \p From again.
  bool isUnchanged(const Instruction &From, const BasicBlock &End) const {
    const BasicBlock *Start = From.getParent();
    SmallSetVector<const BasicBlock *, 16> Between;
    Between.insert(&End);
    for (unsigned N = 0; N != Between.size(); ++N)
      if (Between[N] != Start && (!L || Between[N] != L->getHeader()))
        Between.insert(pred_begin(Between[N]), pred_end(Between[N]));
    return none_of(Between, [&](const BasicBlock *BB) {
      auto Begin = BB == Start ? From.getIterator() : BB->begin();
      return any_of(make_range(Begin, BB->end()),
                    [&](const Instruction &I) { return mayChange(I); });
    });
  }
};

/// \returns where an iteration of \p L reads what the next one reads at \p Next, and
/// the first one at \p First, or null.
const SCEV *addressHere(const SCEV *First, const SCEV *Next, const Loop &L,
                        ScalarEvolution &SE) {
  if (SE.isLoopInvariant(Next, &L))
    return First == Next ? Next : nullptr;
  auto *Moving = dyn_cast<SCEVAddRecExpr>(Next);
  if (!Moving || Moving->getLoop() != &L || !Moving->isAffine())
    return nullptr;
  const SCEV *Step = Moving->getStepRecurrence(SE);
  const SCEV *Start = SE.getMinusSCEV(Moving->getStart(), Step);
  return First == Start ? SE.getAddRecExpr(Start, Step, &L, SCEV::FlagAnyWrap)
                        : nullptr;
}

/// \returns what \p Phi has in each iteration of \p L, read there, or null.
Value *readHere(PHINode &Phi, const Loop &L, ScalarEvolution &SE,
                AAResults &AA) {
  Function &F = *L.getHeader()->getParent();
  const BasicBlock &Preheader = *L.getLoopPreheader(),
                   &Latch = *L.getLoopLatch();
  LastReads First(F, nullptr, nullptr, SE, AA), Next(F, &L, &Phi, SE, AA);
  if (!First.hold(Phi.getIncomingValueForBlock(&Preheader), Preheader) ||
      !Next.hold(Phi.getIncomingValueForBlock(&Latch), Latch))
    return nullptr;
  const SCEV *Here = addressHere(First.address(), Next.address(), L, SE);
  if (!Here || (Next.handOn() && Here != Next.address()))
    return nullptr;
  bool Writes = anyInstruction(
      L.blocks(), [&](const Instruction &I) { return Next.mayChange(I); });
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "again");
  if (!Writes || !Expander.isSafeToExpand(Here))
    return nullptr;
  Instruction *Position = &*L.getHeader()->getFirstInsertionPt();
  const LoadInst *Known = Next.read();
  auto *Load = new LoadInst(
      Known->getType(),
      Expander.expandCodeFor(Here, Known->getPointerOperandType(), Position),
      "again", /*isVolatile=*/false, Known->getAlign(), Position);
  Load->copyMetadata(*Known, {LLVMContext::MD_tbaa});
  Load->setDebugLoc(Known->getDebugLoc());
  return Load;
}

} // namespace

bool asyncmem::readAgain(Loop &L, ScalarEvolution &SE, AAResults &AA) {
  bool Changed = false;
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis()))
    if (Value *Read = readHere(Phi, L, SE, AA)) {
      SE.forgetValue(&Phi);
      Phi.replaceAllUsesWith(Read);
      Phi.eraseFromParent();
      Changed = true;
    }
  return Changed;
}

/// \returns how \p I of \p T grows in each iteration, if it is a product with a constant
/// or a sum with one of such a product.
static const SCEVAddRecExpr *growthOf(const TaskLoop &T, Instruction &I,
                                      ScalarEvolution &SE) {
  const Value *Product = &I;
  match(&I, m_Add(m_Value(Product), m_ConstantInt()));
  if (!match(Product, m_Mul(m_Value(), m_ConstantInt())))
    return nullptr;
  auto *Growth = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&I));
  return Growth && Growth->getLoop() == T.L && Growth->isAffine() &&
                 isa<SCEVConstant>(Growth->getStepRecurrence(SE))
             ? Growth
             : nullptr;
}

void asyncmem::stepProducts(TaskLoop &T, ScalarEvolution &SE) {
  SmallSetVector<Instruction *, 16> BeforeWaits;
  for (Instruction &I : *T.Header) {
    if (T.isRemote(&I) || isLock(I))
      break;
    if (!isa<PHINode>(I) && !T.Slice.contains(&I))
      BeforeWaits.insert(&I);
  }
  SCEVExpander Expander(SE, T.Header->getModule()->getDataLayout(), "product");
  for (Instruction *I : reverse(BeforeWaits)) {
    const SCEVAddRecExpr *Growth = growthOf(T, *I, SE);
    if (!Growth || !Expander.isSafeToExpand(Growth->getStart()) ||
        !all_of(I->users(), [&](User *U) {
          return BeforeWaits.contains(cast<Instruction>(U));
        }))
      continue;
    auto *Value =
        PHINode::Create(I->getType(), 2, "product", T.Header->getFirstNonPHI());
    IRBuilder<> B(T.Latch->getTerminator());
    auto *Next = cast<Instruction>(B.CreateAdd(
        Value, cast<SCEVConstant>(Growth->getStepRecurrence(SE))->getValue()));
    Value->addIncoming(Next, T.Latch);
    Value->addIncoming(Expander.expandCodeFor(Growth->getStart(), I->getType(),
                                              T.Preheader->getTerminator()),
                       T.Preheader);
    T.Sequential.push_back(Value);
    T.Slice.insert(Next);
    I->replaceAllUsesWith(Value);
    RecursivelyDeleteTriviallyDeadInstructions(I);
    return;
  }
}
