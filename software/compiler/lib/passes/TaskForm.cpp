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
