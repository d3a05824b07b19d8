// SPDX-License-Identifier: Apache-2.0
// What the passes know of the machines they compile for: facts of memory and the
// AMU, its instructions, what differs between targets, and the costs that decide
// between forms.

#ifndef ASYNCMEM_TARGET_H
#define ASYNCMEM_TARGET_H

#include "common/Options.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/TargetParser/Triple.h"

namespace asyncmem {

/// Of a cache line, on x86-64 and on NH-G.
inline constexpr unsigned LineBytes = 64;

/// Limits of the AMU (contract, "Details" and rules 2 and 9): its largest ID
/// (amucap MaxId), bytes of the SPM and of one slot, address bits inside a page,
/// requests of one aset group.
inline constexpr unsigned MaxAmuId = NHG_AMU_MAX_ID;
inline constexpr unsigned SpmBytes = NHG_SPM_SIZE;
inline constexpr unsigned MinSpmSlotBytes = NHG_AMU_SLOT_BYTES_MIN;
inline constexpr unsigned MaxSpmSlotBytes = NHG_AMU_SLOT_BYTES_MAX;
inline constexpr unsigned PageShift = NHG_AMU_SIZE_LOG2_MAX;
inline constexpr unsigned MaxGroupRequests = NHG_AMU_GROUP_REQUESTS_MAX;

namespace cost {

/// Slots of 256 bytes leave 127 tasks. What larger groups save in switches, too
/// few tasks would lose in memory parallelism.
inline constexpr unsigned PreferredSlotBytes = 256;

/// At most this many operations replace the save and the reload of a value.
inline constexpr unsigned RematerializedOperations = 2;

/// Lines of a row that a task waits for, and that its loop is ahead afterwards.
inline constexpr unsigned RowLines = 2;

/// A plain loop prefetches its streams this far ahead.
inline constexpr int64_t PlainLines = 8;
inline constexpr int64_t PlainIterations = 4;

/// An out-of-order window holds several iterations of loops up to this size, or all of
/// one with this many in all of its iterations.
inline constexpr unsigned MaxOverlappedInstructions = 64;

} // namespace cost

/// The target of a module: x86-64 or another CPU with prefetch, or riscv64, which
/// is taken to be NH-G.
class Target {
public:
  explicit Target(const llvm::Module &M);

  bool mayHaveAmu() const { return IsNhg; }
  bool isLinux() const { return Machine.isOSLinux(); }

  /// Prefetchers of the hardware follow streams of addresses.
  bool followsStreams() const { return !IsNhg; }

  /// Accesses of prefetching tasks at which they do not switch, if the user does not
  /// say: on NH-G those whose line is near, and streams.
  NearMode defaultNearMode() const;

  /// Code has constants as wide as an address; else a register is better.
  bool hasWideImmediates() const { return !IsNhg; }

  /// There is code that reads a cycle counter, if the program may.
  bool hasCycleCounter() const {
    return IsNhg || Machine.getArch() == llvm::Triple::x86_64;
  }

  /// Cycles of a measurement that decides between tasks and the plain loop, if the
  /// user does not say; 0: none, as programs may not read the counter.
  uint64_t defaultAdaptCycles() const;

  /// The cycle counter may be an instruction-set simulator's.
  bool mayCountInstructions() const { return IsNhg; }

  /// \p Code is one instruction that computes floating-point registers from others.
  /// The header of NH-G's C library says volatile nevertheless.
  bool isArithmetic(const llvm::InlineAsm &Code) const;

private:
  llvm::Triple Machine;
  bool IsNhg;
};

} // namespace asyncmem

namespace asyncmem::zicond {

/// \p Word, or 0 where \p Condition is 0, or is not; both are 64 bits wide. NH-G has them, and what clang emits for NH-G does not use them.
llvm::Value *czeroEqz(llvm::IRBuilderBase &B, llvm::Value *Word,
                      llvm::Value *Condition);
llvm::Value *czeroNez(llvm::IRBuilderBase &B, llvm::Value *Word,
                      llvm::Value *Condition);

} // namespace asyncmem::zicond

namespace asyncmem::ami {

// The AMI instructions as the compiler emits them (amu-ext/docs/ami.md).

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
