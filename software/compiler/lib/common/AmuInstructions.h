// SPDX-License-Identifier: Apache-2.0
// The AMI instructions as the compiler emits them (amu-ext/docs/ami.md).

#ifndef ASYNCMEM_AMUINSTRUCTIONS_H
#define ASYNCMEM_AMUINSTRUCTIONS_H

#include "llvm/IR/IRBuilder.h"
#include "platform.h"

namespace asyncmem::ami {

/// Fields of the address word, the task word and the request word.
inline constexpr unsigned AddressBits = NHG_AMI_ADDRESS_WORD_ADDRESS_BITS;
inline constexpr unsigned SizeShift = NHG_AMI_ADDRESS_WORD_SIZE_LSB;
inline constexpr unsigned SlotOffsetShift = NHG_AMI_REQUEST_WORD_OFFSET_LSB;

enum ConfigRegister {
  HandlerBase = NHG_AMU_CONFIG_HANDLER_BASE,
  HandlerSize = NHG_AMU_CONFIG_HANDLER_SIZE,
  SpmBase = NHG_AMU_CONFIG_SPM_BASE,
  SpmSlot = NHG_AMU_CONFIG_SPM_SLOT,
  TargetBase = NHG_AMU_CONFIG_TARGET_BASE
};

/// Requests and what goes with them; all operands are 64 bits wide.
llvm::CallInst *aload(llvm::IRBuilderBase &B, llvm::Value *AddressWord,
                      llvm::Value *RequestWord);
llvm::CallInst *astore(llvm::IRBuilderBase &B, llvm::Value *AddressWord,
                       llvm::Value *RequestWord);
void aset(llvm::IRBuilderBase &B, llvm::Value *Id, unsigned Requests);
llvm::CallInst *aset(llvm::IRBuilderBase &B, llvm::Value *Id,
                     llvm::Value *Requests);
void aconfig(llvm::IRBuilderBase &B, ConfigRegister Register, llvm::Value *V);

/// Leaves the ID waiting, until some task signals it.
void await(llvm::IRBuilderBase &B, llvm::Value *AddressWord, llvm::Value *Id);
void asignal(llvm::IRBuilderBase &B, llvm::Value *Id);

/// \returns the ID of a finished group, or 0.
llvm::Value *getfin(llvm::IRBuilderBase &B);

/// No code, and nothing else may share it: a target of bafin that is also
/// reached by a plain jump would be split when code is generated, and the
/// address in the request word would be that of the wrong half.
void resumePoint(llvm::IRBuilderBase &B);

/// Takes a finished group and jumps to its target, one of \p Targets, with the
/// task word as result; falls through to \p None.
llvm::CallBrInst *bafin(llvm::IRBuilderBase &B, llvm::BasicBlock *None,
                        llvm::ArrayRef<llvm::BasicBlock *> Targets);

/// If there are loops in \p M that use the AMU, the runtime starts it before main.
/// \returns whether there are.
bool startBeforeMain(llvm::Module &M);

} // namespace asyncmem::ami

#endif
