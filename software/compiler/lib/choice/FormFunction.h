// SPDX-License-Identifier: Apache-2.0
// A marked loop as tasks in a function of its own, which the loop's function
// calls for a chunk of iterations. So the loop itself stays as the program has it.

#ifndef ASYNCMEM_FORMFUNCTION_H
#define ASYNCMEM_FORMFUNCTION_H

#include "choice/LoopState.h"
#include "choice/Outline.h"
#include <optional>

namespace asyncmem {

/// Built in a copy of the loop's function, which goes afterwards.
class FormFunction {
public:
  /// \p T is an analysed loop that \p Map leads to, \p State describes the original.
  FormFunction(TaskLoop &T, llvm::ValueToValueMapTy &Map, LoopState State)
      : T(T), Map(Map), State(std::move(State)) {}

  /// Gives the loop the record's values and a limit, before it becomes tasks.
  /// \returns false if that cannot be; the copy is of no use then.
  bool limit();

  /// Takes the tasks out. \returns the function, or null if they cannot stand alone.
  llvm::Function *extract();

  /// What the function is called with in the function of the original loop, where
  /// \p OwnRecord is the record.
  llvm::SmallVector<llvm::Value *, 8>
  arguments(llvm::AllocaInst *OwnRecord) const;

private:
  TaskLoop &T;
  llvm::ValueToValueMapTy &Map;
  LoopState State;
  std::optional<Outline> Part;
};

} // namespace asyncmem

#endif
