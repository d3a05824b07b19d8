// SPDX-License-Identifier: Apache-2.0
// Front end: what only the syntax tree tells about a marked loop.

#ifndef ASYNCMEM_MARKCHECKER_H
#define ASYNCMEM_MARKCHECKER_H

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace asyncmem {

/// Line and column, as in debug locations.
using SourcePlace = std::pair<unsigned, unsigned>;

/// A marked loop in the source.
struct SourceLoop {
  SourcePlace Start;
  /// Where the loop reads or changes a variable, to the variable's name.
  std::map<SourcePlace, std::string> Variables;
};

/// Pragma number (first argument of the marker call) to its loop. Empty when
/// the passes run without the front end.
std::map<unsigned, SourceLoop> &sourceLoops();

/// \returns the consumer that checks every pragma when the translation unit is
/// complete, and fills sourceLoops().
std::unique_ptr<clang::ASTConsumer> createMarkChecker();

} // namespace asyncmem

#endif
