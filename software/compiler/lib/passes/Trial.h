// SPDX-License-Identifier: Apache-2.0
// Everything is checked before anything changes: the whole way from the pragma
// to the tasks is tried on a copy of the module, which is thrown away. What is
// refused there loses its pragma before the real module is touched, so that it
// is compiled as if the plugin were off.

#ifndef ASYNCMEM_TRIAL_H
#define ASYNCMEM_TRIAL_H

#include "common/Outcomes.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class OptimizationLevel;
class PassBuilder;
} // namespace llvm

namespace asyncmem {

/// \returns the pragmas of \p M to forget, and those whose loops lose their tags
/// and need pins. Repeats the trial with that until the others are accepted: a
/// loop that stays plain may let another one be optimised differently. \p M does
/// not change, nothing is reported.
TrialResult tryLoops(const llvm::Module &M, llvm::ModuleAnalysisManager &MAM,
                     llvm::PassBuilder &PB, llvm::OptimizationLevel Level,
                     bool AtomicCounters);

} // namespace asyncmem

#endif
