// SPDX-License-Identifier: Apache-2.0

#include "passes/TaskForm.h"
#include "analysis/RemoteUpdates.h"
#include "passes/Verify.h"
#include "schedule/Scheduler.h"
#include "transform/ExclusiveUpdates.h"
#include "transform/RemoteSelects.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace asyncmem;

TaskForm::TaskForm(BasicBlock &Header, FunctionAnalysisManager &FAM,
                   const Options &Opts)
    : FAM(FAM), Opts(Opts), F(copyOf(*Header.getParent(), Map)),
      Prepare(F, FAM, this->Opts) {
  T.L = FAM.getResult<LoopAnalysis>(F).getLoopFor(
      cast<BasicBlock>(Map.lookup(&Header)));
}

TaskForm::~TaskForm() {
  FAM.clear(F, F.getName());
  Map.clear();
  F.eraseFromParent();
  if (T.Owners && T.Owners->use_empty())
    T.Owners->eraseFromParent();
}

bool TaskForm::analyze(Refusal &No) {
  if (!Prepare.analyze(T, No))
    return false;
  if (Opts.Verify)
    verifyLoop(Stage::Classified, T, Opts);
  return true;
}

void TaskForm::groupAccesses(unsigned Tasks) {
  Prepare.groupAccesses(T, Tasks);
  for (BasicBlock *BB : T.Blocks)
    Prefetches += count_if(*BB, [](Instruction &I) { return rowPrefetch(&I); });
}

bool TaskForm::isLike(const TaskForm &Other) const {
  auto Counts = [](const TaskForm &Form) {
    NearCounts Near = Form.near();
    SmallVector<unsigned, 8> Found = {Near.Lines, Near.Streams, Near.Overlapped,
                                      Form.Prefetches};
    for (const AccessGroup &Group : Form.T.Groups)
      Found.push_back(Group.accessCount());
    return Found;
  };
  return Counts(*this) == Counts(Other);
}

void TaskForm::findExclusive() { removeUndividedUpdates(T); }

void TaskForm::protect() {
  Prepare.protectUpdates(T);
  if (Opts.BranchlessSelects)
    selectWithoutBranches(T);
  if (Opts.Verify)
    verifyLoop(Stage::Planned, T, Opts);
}

Function *TaskForm::build(const LoopState &State, unsigned Tasks) {
  Form = std::make_unique<FormFunction>(T, Map, State);
  if (!Form->limit())
    return nullptr;
  Labels Before = Opts.Verify ? labelsWithoutJump(F) : Labels();
  Built = buildTasks(T, FAM, Opts, Tasks);
  Built.Adapts = true;
  if (Opts.Verify)
    verifyTasks(F, Before);
  return Form->extract();
}

Function *TaskForm::buildPrefetchingLoop(const LoopState &State) {
  if (!Prefetches || !T.PrivateMemory.empty())
    return nullptr;
  Form = std::make_unique<FormFunction>(T, Map, State);
  return Form->limit() ? Form->extract() : nullptr;
}
