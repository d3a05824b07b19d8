// SPDX-License-Identifier: Apache-2.0
// Code of compiled programs that the plugin carries as bitcode without anything of one
// target.

#ifndef ASYNCMEM_PROGRAMCODE_H
#define ASYNCMEM_PROGRAMCODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

/// Defines `Name`(), the bitcode that the build has left in \p File.
#define ASYNCMEM_BITCODE(Name, File)                                           \
  asm(".section .rodata\n" #Name "_begin: .incbin \"" File "\"\n" #Name        \
      "_end:\n.previous");                                                     \
  extern "C" __attribute__((visibility("hidden"))) const char Name##_begin[],  \
      Name##_end[];                                                            \
  static llvm::StringRef Name() {                                              \
    return llvm::StringRef(Name##_begin, Name##_end - Name##_begin);           \
  }

namespace asyncmem {

/// Adds \p Bitcode, as \p Adjust leaves it, to \p M. Names that begin with __asyncmem_ are
/// reserved: where the program itself has one of \p Names, compilation ends, and the
/// message says what to do, \p Remedy.
void linkProgramCode(llvm::Module &M, llvm::StringRef Bitcode,
                     llvm::ArrayRef<llvm::StringRef> Names,
                     llvm::StringRef Remedy,
                     llvm::function_ref<void(llvm::Module &)> Adjust);

} // namespace asyncmem

#endif
