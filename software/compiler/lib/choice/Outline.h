// SPDX-License-Identifier: Apache-2.0
// A part of a copy of a function that becomes a function of its own, so that the
// original stays as the program has it. The copy goes afterwards.

#ifndef ASYNCMEM_OUTLINE_H
#define ASYNCMEM_OUTLINE_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace asyncmem {

/// \returns true if \p I means something else in another function.
bool needsItsFunction(const llvm::Instruction &I);

/// \returns a copy of \p F for the module itself, to which \p Map leads.
llvm::Function &copyOf(llvm::Function &F, llvm::ValueToValueMapTy &Map);

/// Keeps \p Code, a part of another function, from what was true of all of that, and from
/// becoming a part of its caller.
void stayApart(llvm::Function &Code);

/// Calls of functions with debug information must have a place in it: that of the loop
/// with \p Header.
llvm::DebugLoc placeOfCall(const llvm::BasicBlock &Header);

class Outline {
public:
  /// The part is what can be reached from \p Entry; it ends in \p End, which returns.
  /// \p Map leads from the original to the copy. \p Record, a variable of the copy,
  /// is one of the original's, too, made for the purpose.
  Outline(llvm::BasicBlock *Entry, llvm::BasicBlock *End,
          llvm::AllocaInst *Record, llvm::ValueToValueMapTy &Map)
      : Entry(Entry), End(End), Record(Record), Map(Map) {}

  /// Takes the part out, which returns \p Result, or nothing. \returns the function, or
  /// null if it cannot stand alone; the copy is of no use then.
  llvm::Function *extract(llvm::Value *Result = nullptr);

  /// What the function is called with in that of the original loop.
  llvm::SmallVector<llvm::Value *, 8>
  arguments(llvm::AllocaInst *OwnRecord) const;

private:
  llvm::BasicBlock *Entry, *End;
  llvm::AllocaInst *Record;
  llvm::ValueToValueMapTy &Map;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Originals;
  /// Of the copy to that of the original; null stands for the record.
  llvm::SmallVector<llvm::Value *, 8> Inputs;

  using Blocks = llvm::SmallPtrSetImpl<const llvm::BasicBlock *>;

  void findOriginals(const Blocks &Inside);
  bool findInputs(llvm::ArrayRef<llvm::BasicBlock *> Region,
                  const Blocks &Inside, llvm::SetVector<llvm::Value *> &Used);
  llvm::Value *computeInside(llvm::Instruction &I);
};

/// Lets variables be registers in \p Code, which returns in \p End, that can be in the
/// function of the original loop, whose \p Arguments lead to them.
void keepInRegisters(llvm::Function &Code,
                     llvm::ArrayRef<llvm::Value *> Arguments,
                     llvm::BasicBlock &End);

/// Variables among the arguments of such calls that can be registers stay so: the
/// functions get copies.
class VariableCopies {
public:
  /// The copies are made in front of \p Record, which is none of them.
  VariableCopies(
      llvm::MutableArrayRef<llvm::SmallVector<llvm::Value *, 8>> Arguments,
      llvm::AllocaInst *Record);

  void fill(llvm::IRBuilderBase &B) const;
  void readBack(llvm::IRBuilderBase &B) const;

private:
  llvm::MapVector<llvm::AllocaInst *, llvm::AllocaInst *> Copies;
};

} // namespace asyncmem

#endif
