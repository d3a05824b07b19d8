// SPDX-License-Identifier: Apache-2.0
// What became of the loops of each pragma. Inlining and optimisation make copies
// of a loop: some may be split, others refused.

#ifndef ASYNCMEM_OUTCOMES_H
#define ASYNCMEM_OUTCOMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <set>
#include <string>

namespace asyncmem {

/// Why a loop stays serial.
struct RefusalReason {
  std::string Why;
  /// " (line 3, column 9)", or nothing if it is not known.
  std::string Place;
  /// Variable with a value that one iteration hands to the next, which is the
  /// reason; empty if it is another one or the variable is not known.
  std::string Variable;
  /// Nothing is lost: a remark says so, not a warning.
  bool IsRemark = false;

  std::string text() const { return Why + Place; }
};

/// Refused pragmas: their number, and each reason once; none if they just do not
/// matter.
using RefusedLoops = std::map<unsigned, llvm::SmallVector<RefusalReason, 1>>;

/// Pragmas whose loops pins mark (LoopPins.h).
using PinnedLoops = std::set<unsigned>;

/// What trials found before the module changes.
struct TrialResult {
  RefusedLoops Refused;
  PinnedLoops Pinned;
};

/// Variables to share as if a clause named them, by the number of the pragma.
using SharedVariables = std::map<unsigned, llvm::SmallVector<std::string, 2>>;

/// Collects, on a trial, what would be reported of a real compilation.
class Outcomes {
public:
  /// A copy of the loop of \p Pragma becomes tasks, or needs none.
  void accept(unsigned Pragma) { Pragmas[Pragma].Accepted = true; }

  /// A copy stays serial. \p HasClauses: some that change the loop.
  void refuse(unsigned Pragma, bool HasClauses, const RefusalReason &Why);

  /// The pragma does not matter here: it is dropped if that is so everywhere, and a
  /// remark says so.
  void forget(unsigned Pragma) { Pragmas[Pragma].Forgotten = true; }

  /// The tag of \p Pragma's loop got lost, or is on another loop now.
  void lose(unsigned Pragma) { Lost.insert(Pragma); }
  const PinnedLoops &lost() const { return Lost; }

  /// \returns the pragmas to drop: those without an accepted copy, and those
  /// with such clauses and a refused copy, as clauses change every copy.
  RefusedLoops refused() const;

private:
  struct Outcome {
    bool Accepted = false;
    bool HasClauses = false;
    bool Forgotten = false;
    llvm::SmallVector<RefusalReason, 1> Reasons;
  };
  std::map<unsigned, Outcome> Pragmas;
  PinnedLoops Lost;
};

} // namespace asyncmem

#endif
