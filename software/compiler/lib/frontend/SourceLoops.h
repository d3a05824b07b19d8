// SPDX-License-Identifier: Apache-2.0
// What the front end knows of the marked loops, for the first phase.

#ifndef ASYNCMEM_SOURCELOOPS_H
#define ASYNCMEM_SOURCELOOPS_H

#include <map>
#include <string>
#include <utility>

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

} // namespace asyncmem

#endif
