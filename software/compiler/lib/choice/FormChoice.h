// SPDX-License-Identifier: Apache-2.0
// The choice at run time between a loop and functions with its tasks. The loop
// stays where and as it is, but that it runs in chunks:
//
//   preheader -> start -> control -> the loop | call of a form
//                           ^           |         |
//                           +-- next <--+---------+-> end -> exits

#ifndef ASYNCMEM_FORMCHOICE_H
#define ASYNCMEM_FORMCHOICE_H

#include "choice/FormFunction.h"

namespace asyncmem {

/// A form of a loop as tasks.
struct FormCall {
  llvm::Function *Code;
  const FormFunction *Form;
};

/// Puts the choice in front of \p T, in the form of analyzeShape, whose record is
/// \p State; tasks as in addRunTimeChoice. \p T can be limited, as its copies were.
/// \p IsAsked says that no run comes here that may be the plain loop without a question.
/// \returns what the policy remembers of the loop.
llvm::GlobalVariable *addFormChoice(TaskLoop &T, const LoopState &State,
                                    llvm::ArrayRef<FormCall> Forms,
                                    unsigned Tasks, uint64_t TurnCycles,
                                    bool IsAsked);

} // namespace asyncmem

#endif
