// SPDX-License-Identifier: Apache-2.0

#include "passes/FormSplit.h"
#include "analysis/Shape.h"
#include "choice/AdaptInterface.h"
#include "choice/FormChoice.h"
#include "passes/Remarks.h"
#include "passes/TaskForm.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace asyncmem;

namespace {

/// Remarks on a copy bear the name of the original.
class SameName {
public:
  SameName(Function &Copy, Function &Original)
      : Copy(Copy), Original(Original) {
    std::string Name = Copy.getName().str();
    Copy.takeName(&Original);
    Original.setName(Name);
  }
  ~SameName() {
    std::string Name = Original.getName().str();
    Original.takeName(&Copy);
    Copy.setName(Name);
  }

private:
  Function &Copy, &Original;
};

class FormSplitter {
public:
  FormSplitter(Loop &L, FunctionAnalysisManager &FAM, const Options &Opts,
               const FormRequest &Wanted)
      : FAM(FAM), Opts(Opts), Wanted(Wanted), F(*L.getHeader()->getParent()) {
    Plain.L = &L;
  }

  ~FormSplitter() {
    if (!IsDone)
      for (FormCall &Call : Calls)
        Call.Code->eraseFromParent();
  }

  SplitForms run(bool IsAsked) {
    Refusal No;
    if (!analyzeShape(Plain, No) ||
        !isa<BranchInst>(Plain.Latch->getTerminator()))
      return {};
    for (PHINode &Phi : Plain.Header->phis())
      Plain.Sequential.push_back(&Phi);
    const LoopState State(Plain);
    if (!analyzeForms())
      return {};
    const TaskLoop &First = Forms.front()->loop();
    const ValueClasses Classes = {unsigned(First.Shared.size()),
                                  unsigned(First.Sequential.size())};
    for (auto &Form : Forms)
      if (!buildTasks(*Form, State))
        return {};
    const unsigned TaskForms = Forms.size();
    if (!Opts.Near)
      addPrefetchingLoop(State);
    assert(Calls.size() <= ADAPT_MOST_FORMS && "the record is too small");
    SplitForms Done;
    Done.Choice = addFormChoice(Plain, State, Calls, Wanted.Tasks,
                                Wanted.TurnCycles, IsAsked);
    IsDone = true;
    TaskStatistics Built = Forms.front()->statistics();
    Built.Forms = TaskForms;
    reportSplit(F, Wanted.Pragma, schedulerName(Opts.Scheduler), Classes,
                Built);
    for (FormCall &Call : Calls)
      Done.Functions.push_back(Call.Code);
    return Done;
  }

private:
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  const FormRequest &Wanted;
  Function &F;
  TaskLoop Plain;
  SmallVector<std::unique_ptr<TaskForm>, 4> Forms;
  SmallVector<FormCall, 4> Calls;
  bool IsDone = false;

  /// \returns the ways of leaving accesses near that may differ, the best one for
  /// data that is far first.
  SmallVector<NearMode, 3> nearModes() const {
    if (Opts.Near)
      return {*Opts.Near};
    return {{true, true, true}, {true, true, false}, {true, false, false}};
  }

  /// \returns null if the loop cannot be split.
  std::unique_ptr<TaskForm> analyzeForm(const NearMode &Mode) {
    Options Own = Opts;
    Own.Near = Mode;
    auto Form = std::make_unique<TaskForm>(*Plain.Header, FAM, Own);
    Refusal No;
    if (!Form->analyze(No))
      return nullptr;
    Form->groupAccesses(Wanted.Tasks);
    return Form;
  }

  /// Finds the forms that differ. \returns false if the first one has no tasks.
  bool analyzeForms() {
    for (const NearMode &Mode : nearModes()) {
      std::unique_ptr<TaskForm> Form = analyzeForm(Mode);
      const bool Waits = Form && !Form->loop().Groups.empty();
      if (!Waits && Forms.empty())
        return false;
      if (Waits &&
          none_of(Forms, [&](auto &Other) { return Form->isLike(*Other); }))
        Forms.push_back(std::move(Form));
    }
    return true;
  }

  bool buildTasks(TaskForm &Form, const LoopState &State) {
    if (&Form == Forms.front().get()) {
      SameName Name(Form.copy(), F);
      reportPromises(Form.loop(), Wanted.Pragma, Form.checkedAccesses());
      reportLaunchLoads(Form.loop());
      reportNear(F, Wanted.Pragma, Form.near(), /*Plain=*/false);
      Form.findExclusive();
      reportUpdates(Form.loop());
      Form.protect();
      reportSuspensions(Form.loop());
    } else {
      Form.findExclusive();
      Form.protect();
    }
    return addCall(Form, Form.build(State, Wanted.Tasks), ".tasks");
  }

  /// The plain loop may want what is prefetched for the tasks.
  void addPrefetchingLoop(const LoopState &State) {
    std::unique_ptr<TaskForm> Form = analyzeForm(nearModes().front());
    if (Form && addCall(*Form, Form->buildPrefetchingLoop(State), ".ahead"))
      Forms.push_back(std::move(Form));
  }

  bool addCall(const TaskForm &Form, Function *Code, StringRef Suffix) {
    if (!Code)
      return false;
    Code->setName(F.getName() + Suffix);
    Calls.push_back({Code, &Form.function()});
    return true;
  }
};

} // namespace

SplitForms asyncmem::splitIntoForms(Loop &L, FunctionAnalysisManager &FAM,
                                    const Options &Opts,
                                    const FormRequest &Wanted, bool IsAsked) {
  return FormSplitter(L, FAM, Opts, Wanted).run(IsAsked);
}
