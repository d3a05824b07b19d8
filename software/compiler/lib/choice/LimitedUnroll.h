// SPDX-License-Identifier: Apache-2.0
// A limit beside a loop's own end is a compare and branch in each iteration, much of a
// short one. So several iterations follow each other between two such questions. LLVM's
// unroller simplifies the loops around, too, that of tasks that are yet to be built.

#ifndef ASYNCMEM_LIMITEDUNROLL_H
#define ASYNCMEM_LIMITEDUNROLL_H

namespace llvm {
class BasicBlock;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace asyncmem {

/// A limit is a multiple of so many iterations.
constexpr unsigned IterationsBetweenLimits = 4;

/// \returns \p Iterations as such a limit: less.
llvm::Value *wholeLimit(llvm::IRBuilderBase &B, llvm::Value *Iterations);

/// Lets the loop of \p Header, whose latch leaves it at the limit and nowhere else, ask for
/// that behind the last of so many iterations alone, if they are short.
void unrollLimited(llvm::BasicBlock &Header);

} // namespace asyncmem

#endif
