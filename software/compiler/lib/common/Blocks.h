// SPDX-License-Identifier: Apache-2.0
// Blocks of a function: ways over them, copies of them, callees that become part of
// them, code that the plugin carries, and the parts of the program that the line table
// takes them for.

#ifndef ASYNCMEM_BLOCKS_H
#define ASYNCMEM_BLOCKS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace asyncmem {

// The blocks that some ways through the control flow lead over.

template <class Block> using BlockSet = llvm::SmallSetVector<Block *, 16>;

/// \returns the blocks that \p Neighbours leads to from \p Start on, by steps that
/// \p Takes allows; \p Start itself if one of them leads back to it.
template <class Block, class Edges, class Predicate>
BlockSet<Block> walkBlocks(Block *Start, Edges Neighbours, Predicate Takes) {
  BlockSet<Block> Found;
  llvm::SmallVector<Block *, 16> Work = {Start};
  while (!Work.empty()) {
    Block *At = Work.pop_back_val();
    for (Block *Next : Neighbours(At))
      if (Takes(At, Next) && Found.insert(Next))
        Work.push_back(Next);
  }
  return Found;
}

/// \returns the blocks behind \p From by edges of which \p Takes(Before, Next) is true.
template <class Block, class Predicate>
BlockSet<Block> blocksBehind(Block *From, Predicate Takes) {
  return walkBlocks(
      From, [](Block *BB) { return llvm::successors(BB); }, Takes);
}

/// \returns the blocks before \p To, likewise.
template <class Block, class Predicate>
BlockSet<Block> blocksBefore(Block *To, Predicate Takes) {
  return walkBlocks(
      To, [](Block *BB) { return llvm::predecessors(BB); },
      [&](Block *Next, Block *Before) { return Takes(Before, Next); });
}

/// \returns the blocks that an iteration of \p L may run behind \p From.
inline BlockSet<const llvm::BasicBlock>
iterationBehind(const llvm::BasicBlock *From, const llvm::Loop &L) {
  return blocksBehind(
      From, [&](const llvm::BasicBlock *, const llvm::BasicBlock *Next) {
        return Next != L.getHeader() && L.contains(Next);
      });
}

/// \returns true if \p Holds of some instruction in \p Blocks.
template <class Range, class Predicate>
bool anyInstruction(const Range &Blocks, Predicate Holds) {
  return llvm::any_of(Blocks, [&](const llvm::BasicBlock *BB) {
    return llvm::any_of(*BB, Holds);
  });
}

// Copies of some blocks of a function beside the originals.

/// \returns copies of \p Blocks in their order, at the end of their function, which use
/// what \p Map says, completed by the copies. Scopes without aliases are each copy's own.
llvm::SmallVector<llvm::BasicBlock *, 16>
copyBlocks(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
           llvm::ValueToValueMapTy &Map, llvm::StringRef Suffix);

/// \returns a copy of \p I where \p B stands, which uses what \p Map says and is what that
/// says of \p I then.
llvm::Instruction *copyInstruction(llvm::IRBuilderBase &B, llvm::Instruction &I,
                                   llvm::ValueToValueMapTy &Map);

/// \returns what \p Map says of \p V; \p V itself if that is nothing.
template <class T> T *mapped(const llvm::ValueToValueMapTy &Map, T *V) {
  llvm::Value *Other = Map.lookup(V);
  return Other ? llvm::cast<T>(Other) : V;
}

/// Values behind \p Blocks are those of the copies in \p Map, too.
void joinBehindCopies(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                      const llvm::ValueToValueMapTy &Map);

// Inlining by LLVM's rules, outside of its inliner.

/// \returns true if the code of \p Callee means the same in \p Caller, once that
/// has what mergeAttributesForInlining() adds.
bool isInlineCompatible(llvm::Function &Caller, llvm::Function &Callee,
                        llvm::FunctionAnalysisManager &FAM);

/// Makes the callee of \p Call, which is compatible, part of the caller. \returns
/// false if it cannot be.
bool inlineCall(llvm::CallBase &Call);

// Code of compiled programs that the plugin carries as bitcode without anything of one target.

/// Defines `Name`(), the bitcode that the build has left in \p File.
#define ASYNCMEM_BITCODE(Name, File)                                           \
  asm(".section .rodata\n" #Name "_begin: .incbin \"" File "\"\n" #Name        \
      "_end:\n.previous");                                                     \
  extern "C" __attribute__((visibility("hidden"))) const char Name##_begin[],  \
      Name##_end[];                                                            \
  static llvm::StringRef Name() {                                              \
    return llvm::StringRef(Name##_begin, Name##_end - Name##_begin);           \
  }

/// Adds \p Bitcode, as \p Adjust leaves it, to \p M. Names that begin with __asyncmem_ are
/// reserved: where the program itself has one of \p Names, compilation ends, and the
/// message says what to do, \p Remedy.
void linkProgramCode(llvm::Module &M, llvm::StringRef Bitcode,
                     llvm::ArrayRef<llvm::StringRef> Names,
                     llvm::StringRef Remedy,
                     llvm::function_ref<void(llvm::Module &)> Adjust);

// Which generated code is scheduler and which moves task context, as debug
// locations: the line table then says it of the machine code, wherever its
// blocks go.

/// One location for each part, inlined where the loop is, in an artificial
/// function and file of the part's name. None without debug information.
struct CodeParts {
  /// Starts, polls, dispatches, replaces and ends tasks.
  llvm::DebugLoc Scheduler;
  /// Saves and reloads what lives across a suspension.
  llvm::DebugLoc Context;

  CodeParts(llvm::Function &F, const llvm::DebugLoc &Loop);
};

} // namespace asyncmem

#endif
