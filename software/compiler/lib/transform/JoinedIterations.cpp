// SPDX-License-Identifier: Apache-2.0
// Several iterations a task, on the AMU: where an iteration reads a few bytes of
// remote arrays in sequence, as many as share a cache line become one. Their
// loads are then one request of that line, their stores one group
// (requests/Coalesce.cpp), and a switch serves all of them. The iterations that are
// left over run plain, before the first task or after the last.
//
// That their accesses may pass each other is the pragma's promise. It is written
// down as alias scopes: one a joined iteration, which its remote accesses have and
// no access of another one meets.
//
//   for (i) y[i] += x[i];   ->   for (i; i += 8) { y[i] += x[i]; ... y[i + 7] += x[i + 7]; }

#include "transform/Transforms.h"
#include "common/Instructions.h"
#include "common/Target.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Fewer in a line would gain little, as one request an iteration is no more
/// than a few a line.
constexpr unsigned MinIterations = 4;

/// All copies together.
constexpr unsigned MaxJoinedInstructions = 768;

/// A shorter loop would hardly fill two tasks.
constexpr unsigned MinTasks = 4;

bool isAccess(const Instruction &I) {
  return isa<LoadInst>(I) || isa<StoreInst>(I);
}

/// \returns true if \p I may run next to the same instruction of another
/// iteration, whichever comes first.
bool mayBeJoined(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple();
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return Intrinsic->isAssumeLikeIntrinsic() || !I.mayReadOrWriteMemory();
  return isMark(I) || (!isa<CallBase>(I) && !I.mayReadOrWriteMemory());
}

/// \returns the bytes that the address of \p Load advances by in an iteration,
/// 0 if that is not known.
uint64_t stepOf(const LoadInst &Load, const Loop &L, ScalarEvolution &SE) {
  const SCEV *Address =
      SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  return std::abs(constantStep(Address, L, SE).value_or(0));
}

/// \returns true if \p T is one block of simple accesses, and nothing in it
/// needs its place between two iterations.
bool hasSimpleBody(const TaskLoop &T) {
  return T.Blocks.size() == 1 && T.leavesAtLatch() && T.Updates.empty() &&
         T.Promised.empty() && T.PrivateMemory.empty() &&
         T.SharedStores.empty() && T.LaunchLoads.empty() &&
         all_of(*T.Header, mayBeJoined);
}

/// \returns how many iterations read one cache line; 1 if they are to stay
/// alone.
unsigned iterationsOfLine(const TaskLoop &T, ScalarEvolution &SE) {
  uint64_t Widest = 0;
  for (const Instruction *Access : T.Remote) {
    auto *Load = dyn_cast<LoadInst>(Access);
    if (!Load)
      continue;
    uint64_t Step = stepOf(*Load, *T.L, SE);
    if (Step == 0 || Step * MinIterations > LineBytes)
      return 1;
    Widest = std::max(Widest, Step);
  }
  if (Widest == 0)
    return 1;
  unsigned Count = bit_floor(unsigned(LineBytes / Widest));
  // Of a loop with no more than Count iterations unrolling would leave none.
  unsigned Most = SE.getSmallConstantMaxTripCount(T.L);
  bool IsShort = Most && Most < MinTasks * Count;
  bool IsLong = T.Header->sizeWithoutDebug() * Count > MaxJoinedInstructions;
  return IsShort || IsLong ? 1 : Count;
}

SmallVector<Instruction *, 32> accessesOf(BasicBlock &BB) {
  SmallVector<Instruction *, 32> Found;
  for (Instruction &I : BB)
    if (isAccess(I))
      Found.push_back(&I);
  return Found;
}

/// Iterations counted from 0, without a use. LLVM lets the iterations that are
/// left over run behind the loop if it finds such a counter, so that the first
/// joined one begins where the arrays do, and mostly at a line.
PHINode *addCounter(const TaskLoop &T) {
  IRBuilder<> B(T.Header, T.Header->begin());
  PHINode *Counter = B.CreatePHI(B.getInt64Ty(), 2, "joined");
  B.SetInsertPoint(T.Latch->getTerminator());
  Counter->addIncoming(B.getInt64(0), T.Preheader);
  Counter->addIncoming(B.CreateAdd(Counter, B.getInt64(1)), T.Latch);
  return Counter;
}

void addScope(Instruction &I, unsigned Kind, MDNode *Scopes) {
  I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), Scopes));
}

/// Writes down that \p Accesses of different iterations do not meet where one
/// of them is remote. They are those of \p IsRemote, iteration by iteration.
void separate(ArrayRef<Instruction *> Accesses, ArrayRef<bool> IsRemote) {
  LLVMContext &Context = Accesses.front()->getContext();
  MDBuilder Builder(Context);
  MDNode *Domain =
      Builder.createAnonymousAliasScopeDomain("asyncmem.iterations");
  const size_t Count = Accesses.size() / IsRemote.size();
  SmallVector<Metadata *, 16> Scopes;
  for (size_t I = 0; I < Count; ++I)
    Scopes.push_back(
        Builder.createAnonymousAliasScope(Domain, "asyncmem.iteration"));
  for (auto [Index, Access] : enumerate(Accesses)) {
    const size_t Iteration = Index / IsRemote.size();
    SmallVector<Metadata *, 16> Others;
    for (size_t I = 0; I < Count; ++I)
      if (I != Iteration)
        Others.push_back(Scopes[I]);
    addScope(*Access, LLVMContext::MD_noalias, MDNode::get(Context, Others));
    if (IsRemote[Index % IsRemote.size()])
      addScope(*Access, LLVMContext::MD_alias_scope,
               MDNode::get(Context, Scopes[Iteration]));
  }
}

} // namespace

bool asyncmem::joinIterations(TaskLoop &T, FunctionAnalysisManager &FAM) {
  Function &F = *T.Header->getParent();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  if (!hasSimpleBody(T))
    return false;
  const unsigned Count = iterationsOfLine(T, SE);
  if (Count == 1)
    return false;
  SmallVector<bool, 16> IsRemote;
  for (Instruction *Access : accessesOf(*T.Header))
    IsRemote.push_back(T.isRemote(Access));
  BasicBlock *Body = T.Header;
  markAgain(T);
  WeakVH Counter = addCounter(T);
  UnrollLoopOptions Options = {Count,
                               /*Force=*/false,
                               /*Runtime=*/true,
                               /*AllowExpensiveTripCount=*/true,
                               /*UnrollRemainder=*/false,
                               /*ForgetAllSCEV=*/false};
  LoopUnrollResult Result =
      UnrollLoop(T.L, Options, &FAM.getResult<LoopAnalysis>(F), &SE,
                 &FAM.getResult<DominatorTreeAnalysis>(F),
                 &FAM.getResult<AssumptionAnalysis>(F),
                 &FAM.getResult<TargetIRAnalysis>(F), /*ORE=*/nullptr,
                 /*PreserveLCSSA=*/true);
  if (Counter)
    RecursivelyDeleteDeadPHINode(cast<PHINode>(Counter));
  if (Result == LoopUnrollResult::Unmodified)
    return true;
  assert(Result == LoopUnrollResult::PartiallyUnrolled && "the loop is gone");
  SmallVector<Instruction *, 32> Joined = accessesOf(*Body);
  if (Joined.size() == Count * IsRemote.size())
    separate(Joined, IsRemote);
  return true;
}
