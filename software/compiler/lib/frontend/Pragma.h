// SPDX-License-Identifier: Apache-2.0
// Front end: '#pragma asyncmem' and the check that it stands before a loop.

#ifndef ASYNCMEM_PRAGMA_H
#define ASYNCMEM_PRAGMA_H

#include <map>
#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace asyncmem {

/// Where the loop of a pragma starts in the source, as in its debug location.
struct LoopPosition {
  unsigned Line = 0;
  unsigned Column = 0;
};

/// Pragma number (first argument of the marker call) to its loop. Empty when
/// the passes run without the front end.
std::map<unsigned, LoopPosition> &loopPositions();

/// Registers the pragma and the predefined names with \p CI. \returns the
/// consumer that checks every pragma when the translation unit is complete.
std::unique_ptr<clang::ASTConsumer> registerPragma(clang::CompilerInstance &CI);

} // namespace asyncmem

#endif
