// SPDX-License-Identifier: Apache-2.0
// Which loop a pragma stands before: its place in the source, as the front end hands
// it on, and the loop that is found there right behind the front end.
//
// Algorithm: in program order, the first loop whose header the mark dominates must start
// in the line and column that the front end saw. Where several loops start there, in a macro,
// all of them must repeat, else another one could be taken for it.
//
//   #pragma asyncmem           mark(3) in "entry"
//   while (p) ...              -> the loop whose location is that of the while

#ifndef ASYNCMEM_MARKEDLOOP_H
#define ASYNCMEM_MARKEDLOOP_H

#include "llvm/IR/DebugLoc.h"
#include <map>
#include <string>
#include <utility>

namespace llvm {
class CallInst;
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace asyncmem {

/// Line and column, as in debug locations.
using SourcePlace = std::pair<unsigned, unsigned>;

/// A marked loop in the source.
struct SourceLoop {
  SourcePlace Start;
  /// How many loops of its function start there and repeat, with this one.
  unsigned Alike = 1;
  /// Where the loop reads or changes a variable, to the variable's name.
  std::map<SourcePlace, std::string> Variables;
  /// Clang does not say where the life of a variable that is declared outside
  /// begins: a jump passes its declaration, or it is the function's result.
  bool LacksMarkers = false;
};

/// Pragma number (first argument of the marker call) to its loop. Empty when
/// the passes run without the front end.
std::map<unsigned, SourceLoop> &sourceLoops();

/// Number of the pragma that became \p Mark; in the order of the source.
unsigned pragmaOf(const llvm::CallInst *Mark);

SourcePlace placeOf(const llvm::DebugLoc &Loc);

/// \returns the loop the pragma of \p Mark stands before: the first one in
/// program order that the mark dominates, if it starts where the front end saw
/// the loop. A "loop" that never repeats is no loop here; null then.
llvm::Loop *findLoop(llvm::CallInst *Mark, llvm::LoopInfo &LI,
                     llvm::DominatorTree &DT);

/// \returns why there is no such loop.
const char *whyNotFound(llvm::CallInst *Mark, const llvm::LoopInfo &LI);

} // namespace asyncmem

#endif
