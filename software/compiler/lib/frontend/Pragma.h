// SPDX-License-Identifier: Apache-2.0
// Front end: '#pragma asyncmem', and what only the syntax tree tells about the loop
// behind it.
//
// Algorithm: the pragma's tokens are replaced by a statement that the parser reads, a call
// with the pragma's number, num_task, and kind and address of each clause's variable. When
// the translation unit is complete, MarkChecker looks at each such statement: what follows
// must be a loop, and clauses must fit types and updates.
//
//   #pragma asyncmem num_task(64) shared_var(s)   ->   __asyncmem_mark(3, 64, kind, &s)

#ifndef ASYNCMEM_PRAGMA_H
#define ASYNCMEM_PRAGMA_H

#include "frontend/MarkedLoop.h"
#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
class SourceLocation;
class Stmt;
} // namespace clang

namespace asyncmem {

/// Registers the pragma and the predefined names with \p CI. A pragma without num_task
/// gets \p DefaultTasks. \returns the consumer that checks every pragma when the
/// translation unit is complete.
std::unique_ptr<clang::ASTConsumer> registerPragma(clang::CompilerInstance &CI,
                                                   unsigned DefaultTasks);

// Loops that their places in the source do not tell apart: all of a macro stands
// in one place, and without columns all of a line.

/// \returns the place that debug locations have for \p At, without the column
/// where these have none; line 0 if it is in no file.
SourcePlace placeOf(const clang::ASTContext &Context, clang::SourceLocation At,
                    bool HasColumns);

/// \returns how many loops in \p Function, the body of one, start where \p Loop
/// does: it and those that repeat. UINT_MAX if one comes before it in its own
/// start, which would be taken for it.
unsigned countAlike(clang::ASTContext &Context, clang::Stmt &Loop,
                    clang::Stmt &Function, bool HasColumns);

/// \returns the consumer that checks every pragma when the translation unit is
/// complete, and fills sourceLoops() (MarkedLoop.h).
std::unique_ptr<clang::ASTConsumer> createMarkChecker(bool HasColumns);

} // namespace asyncmem

#endif
