// SPDX-License-Identifier: Apache-2.0
// Front end: '#pragma asyncmem'.

#ifndef ASYNCMEM_PRAGMA_H
#define ASYNCMEM_PRAGMA_H

#include <memory>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace asyncmem {

/// Registers the pragma and the predefined names with \p CI. \returns the
/// consumer that checks every pragma when the translation unit is complete.
std::unique_ptr<clang::ASTConsumer> registerPragma(clang::CompilerInstance &CI);

} // namespace asyncmem

#endif
