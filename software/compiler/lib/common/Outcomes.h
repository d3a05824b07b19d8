// SPDX-License-Identifier: Apache-2.0
// What became of the loops of each pragma. Inlining and optimisation make copies
// of a loop: some may be split, others refused.

#ifndef ASYNCMEM_OUTCOMES_H
#define ASYNCMEM_OUTCOMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <string>

namespace asyncmem {

/// Refused pragmas: their number, and each reason once.
using RefusedLoops = std::map<unsigned, llvm::SmallVector<std::string, 1>>;

/// Collects, on a trial, what would be reported of a real compilation.
class Outcomes {
public:
  /// A copy of the loop of \p Pragma becomes tasks, or needs none.
  void accept(unsigned Pragma) { Pragmas[Pragma].Accepted = true; }

  /// A copy stays serial. \p HasClauses: some that change the loop.
  void refuse(unsigned Pragma, bool HasClauses, llvm::StringRef Why);

  /// \returns the pragmas to forget: those without an accepted copy, and those
  /// with such clauses and a refused copy, as clauses change every copy.
  RefusedLoops refused() const;

private:
  struct Outcome {
    bool Accepted = false;
    bool HasClauses = false;
    llvm::SmallVector<std::string, 1> Reasons;
  };
  std::map<unsigned, Outcome> Pragmas;
};

} // namespace asyncmem

#endif
