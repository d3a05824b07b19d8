// SPDX-License-Identifier: Apache-2.0

#include "passes/FormSplit.h"
#include "analysis/Shape.h"
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

  SplitForms run(bool IsAsked) {
    Refusal No;
    if (!analyzeShape(Plain, No) ||
        !isa<BranchInst>(Plain.Latch->getTerminator()))
      return {};
    for (PHINode &Phi : Plain.Header->phis())
      Plain.Sequential.push_back(&Phi);
    const LoopState State(Plain);
    TaskForm Form(*Plain.Header, FAM, Opts);
    if (!Form.analyze(No))
      return {};
    Form.groupAccesses(Wanted.Tasks);
    if (Form.loop().Groups.empty())
      return {};
    const ValueClasses Classes = {unsigned(Form.loop().Shared.size()),
                                  unsigned(Form.loop().Sequential.size())};
    Function *Code = buildTasks(Form, State);
    if (!Code)
      return {};
    SplitForms Done;
    Done.Choice = addFormChoice(Plain, State, FormCall{Code, &Form.function()},
                                Wanted.Tasks, Wanted.TurnCycles, IsAsked);
    reportSplit(F, Wanted.Pragma, schedulerName(Opts.Scheduler), Classes,
                Form.statistics());
    Done.Functions.push_back(Code);
    return Done;
  }

private:
  FunctionAnalysisManager &FAM;
  const Options &Opts;
  const FormRequest &Wanted;
  Function &F;
  TaskLoop Plain;

  /// \returns the function of the tasks, null if they need the loop's.
  Function *buildTasks(TaskForm &Form, const LoopState &State) {
    {
      SameName Name(Form.copy(), F);
      reportPromises(Form.loop(), Wanted.Pragma, Form.checkedAccesses());
      reportLaunchLoads(Form.loop());
      Form.findExclusive();
      reportUpdates(Form.loop());
      Form.protect();
      reportSuspensions(Form.loop());
    }
    Function *Code = Form.build(State, Wanted.Tasks);
    if (Code)
      Code->setName(F.getName() + ".tasks");
    return Code;
  }
};

} // namespace

SplitForms asyncmem::splitIntoForms(Loop &L, FunctionAnalysisManager &FAM,
                                    const Options &Opts,
                                    const FormRequest &Wanted, bool IsAsked) {
  return FormSplitter(L, FAM, Opts, Wanted).run(IsAsked);
}
