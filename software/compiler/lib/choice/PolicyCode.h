// SPDX-License-Identifier: Apache-2.0
// The policy of AdaptPolicy.c as functions of a module.

#ifndef ASYNCMEM_POLICYCODE_H
#define ASYNCMEM_POLICYCODE_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace asyncmem {

/// void Start(loop, run, i64 tasks, i64 turn cycles), Next(loop, run, i64
/// iterations), End(loop, run, i64 iterations).
struct PolicyCode {
  llvm::Function *Start;
  llvm::Function *Next;
  llvm::Function *End;
};

/// Gives \p M its copy of the functions, once. \p CountInstructions: the program
/// finds out whether its cycle counter counts instructions (RISC-V only).
PolicyCode addPolicyCode(llvm::Module &M, bool CountInstructions);

} // namespace asyncmem

#endif
