// SPDX-License-Identifier: Apache-2.0
// One form of a marked loop as tasks, built in a copy of its function, so that the
// loop itself stays as it is (FormFunction.h).

#ifndef ASYNCMEM_TASKFORM_H
#define ASYNCMEM_TASKFORM_H

#include "choice/FormFunction.h"
#include "passes/LoopPreparation.h"
#include "tasks/TaskBuilder.h"

namespace asyncmem {

class TaskForm {
public:
  /// The loop at \p Header, in canonical form.
  TaskForm(llvm::BasicBlock &Header, llvm::FunctionAnalysisManager &FAM,
           const Options &Opts);
  ~TaskForm();
  TaskForm(const TaskForm &) = delete;

  /// As of LoopPreparation, of the copy.
  bool analyze(Refusal &No);
  CheckedAccesses checkedAccesses() { return Prepare.checkedAccesses(T); }

  /// Finds where tasks wait; then groups() tells how many they are.
  void groupAccesses(unsigned Tasks) { Prepare.groupAccesses(T, Tasks); }

  /// Finds where tasks must exclude each other, and makes them do so.
  void findExclusive();
  void protect();

  /// Builds the tasks. \returns their function, or null if they need the loop's;
  /// \p State describes the original loop.
  llvm::Function *build(const LoopState &State, unsigned Tasks);
  const TaskStatistics &statistics() const { return Built; }
  const FormFunction &function() const { return *Form; }

  const TaskLoop &loop() const { return T; }
  llvm::Function &copy() { return F; }

private:
  llvm::FunctionAnalysisManager &FAM;
  Options Opts;
  llvm::ValueToValueMapTy Map;
  llvm::Function &F;
  LoopPreparation Prepare;
  TaskLoop T;
  std::unique_ptr<FormFunction> Form;
  TaskStatistics Built;
};

} // namespace asyncmem

#endif
