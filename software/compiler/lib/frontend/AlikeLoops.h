// SPDX-License-Identifier: Apache-2.0
// Loops that their places in the source do not tell apart: all of a macro stands
// in one place, and without columns all of a line.

#ifndef ASYNCMEM_ALIKELOOPS_H
#define ASYNCMEM_ALIKELOOPS_H

#include "frontend/SourceLoops.h"

namespace clang {
class ASTContext;
class SourceLocation;
class Stmt;
} // namespace clang

namespace asyncmem {

/// \returns the place that debug locations have for \p At, without the column
/// where these have none; line 0 if it is in no file.
SourcePlace placeOf(const clang::ASTContext &Context, clang::SourceLocation At,
                    bool HasColumns);

/// \returns how many loops in \p Function, the body of one, start where \p Loop
/// does: it and those that repeat. UINT_MAX if one comes before it in its own
/// start, which would be taken for it.
unsigned countAlike(clang::ASTContext &Context, clang::Stmt &Loop,
                    clang::Stmt &Function, bool HasColumns);

} // namespace asyncmem

#endif
