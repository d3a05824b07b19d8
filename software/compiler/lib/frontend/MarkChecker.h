// SPDX-License-Identifier: Apache-2.0
// Front end: what only the syntax tree tells about a marked loop.

#ifndef ASYNCMEM_MARKCHECKER_H
#define ASYNCMEM_MARKCHECKER_H

#include <memory>

namespace clang {
class ASTConsumer;
} // namespace clang

namespace asyncmem {

/// \returns the consumer that checks every pragma when the translation unit is
/// complete, and fills sourceLoops() (SourceLoops.h).
std::unique_ptr<clang::ASTConsumer> createMarkChecker(bool HasColumns);

} // namespace asyncmem

#endif
