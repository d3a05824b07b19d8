// SPDX-License-Identifier: Apache-2.0
// Why a loop stays serial, and how the user is told.

#ifndef ASYNCMEM_REFUSAL_H
#define ASYNCMEM_REFUSAL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include <string>

namespace llvm {
class DILocation;
class Function;
class Instruction;
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

/// An error: the loop that the trial accepted was refused, too late to undo
/// what its clauses changed.
void reportLateRefusal(const llvm::Function &F, const llvm::DebugLoc &Pragma,
                       llvm::StringRef Why);

} // namespace asyncmem

#endif
