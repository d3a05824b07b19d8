// SPDX-License-Identifier: Apache-2.0
// The passes and their places, in Clang's pipeline and by name.

#ifndef ASYNCMEM_REGISTRATION_H
#define ASYNCMEM_REGISTRATION_H

namespace llvm {
class PassBuilder;
} // namespace llvm

namespace asyncmem {

/// Puts the two phases into the pipelines that \p PB builds. \p AtomicCounters:
/// what a program counts for a profile it counts by atomic operations.
void addToPipeline(llvm::PassBuilder &PB, bool AtomicCounters = false);

/// Lets -passes= name each pass alone (docs/compiler.md).
void registerPassNames(llvm::PassBuilder &PB);

} // namespace asyncmem

#endif
