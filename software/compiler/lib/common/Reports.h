// SPDX-License-Identifier: Apache-2.0
// Why loops stay serial, what became of those of each pragma, and how the user is told.

#ifndef ASYNCMEM_REPORTS_H
#define ASYNCMEM_REPORTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include <map>
#include <set>
#include <string>

namespace llvm {
class DILocation;
} // namespace llvm

namespace asyncmem {

/// Why a loop stays serial, and the place that is the reason.
struct Refusal {
  std::string Why;
  llvm::DebugLoc Where;
  /// The variable whose carried value is the reason, if it is known.
  std::string Variable;
  bool NothingRemote = false;
};

/// Ends of reasons that propose something. They give way to a proposal that was
/// tried.
inline constexpr char RestrictHint[] =
    "; pointers that never meet can be restrict, what stays the same can be "
    "copied in front of the loop";
inline constexpr char LockHint[] =
    "; hold asyncmem_lock from the read to the write";
inline constexpr char FloatHint[] =
    "; a floating point one must be named in shared_var or reduction";
inline constexpr char FieldHint[] =
    "; its floating point fields must be variables of their own, named in "
    "shared_var or reduction";

/// Sets \p No to \p Why, at \p At if that is not null. \returns false.
bool refuse(Refusal &No, const llvm::Twine &Why, const llvm::Instruction *At);

/// \returns " (line 3, column 9)": where \p Where, or the call it was inlined
/// at, stands in the file of \p Pragma; nothing if that is not known.
std::string placeInFile(const llvm::DILocation *Where,
                        const llvm::DILocation *Pragma);

/// Warns at the pragma that its loop stays serial.
void reportSerial(const llvm::Function &F, const llvm::DebugLoc &Pragma,
                  llvm::StringRef Why);

/// Warns at \p Where, once of each place.
void reportWarning(const llvm::Function &F, const llvm::DebugLoc &Where,
                   llvm::StringRef Text);

/// An error: the loop that the trial accepted was refused, too late to undo
/// what its clauses changed.
void reportLateRefusal(const llvm::Function &F, const llvm::DebugLoc &Pragma,
                       llvm::StringRef Why);

// What became of the loops of each pragma. Inlining and optimisation make copies
// of a loop: some may be split, others refused.

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

/// Pragmas whose loops pins mark (LoopTag.h).
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

/// Starts the reports of a translation unit. \p WarningsShown: the user sees
/// the warnings of -Wpass-failed.
void beginReports(bool WarningsShown);

/// \returns true if somebody reads the remarks on \p F.
bool wantsRemarks(const llvm::Function &F);

/// Puts \p Remark into the optimisation record; prints it, if \p Print is set
/// and another copy of the code has not said the same of the same place.
void emitRemark(const llvm::Function &F,
                const llvm::DiagnosticInfoOptimizationBase &Remark,
                bool Print = true);

/// Emits the remark that \p Make returns, if it is wanted.
template <typename Maker>
void reportRemark(const llvm::Function &F, Maker Make) {
  if (wantsRemarks(F))
    emitRemark(F, Make());
}

} // namespace asyncmem

#endif
