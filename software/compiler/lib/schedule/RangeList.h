// SPDX-License-Identifier: Apache-2.0
// Inner loops of waiting iterations of which tasks without an iteration may run
// a part: a record for each task, by its ID, and a stack of the IDs whose records
// may have iterations left. Tasks give way only at suspensions, so plain loads
// and stores are enough.

#ifndef ASYNCMEM_RANGELIST_H
#define ASYNCMEM_RANGELIST_H

#include "llvm/IR/IRBuilder.h"

namespace asyncmem {

class RangeList {
public:
  /// Of a record: the iterations left are those from Next to Limit. Parties are
  /// the tasks that run some of them, the one of the ID included. Values of the
  /// loop come behind.
  enum Field { Next, Limit, Parties, Id, FirstValue };

  /// \p Values are the types of the values of the loop.
  RangeList(llvm::Function &F, unsigned Tasks,
            llvm::ArrayRef<llvm::Type *> Values);

  /// Empties the list, at the end of Init.
  void start(llvm::IRBuilderBase &B) const;

  llvm::Value *record(llvm::IRBuilderBase &B, llvm::Value *Id) const;
  llvm::Value *place(llvm::IRBuilderBase &B, llvm::Value *Record,
                     unsigned Field) const;
  llvm::Value *get(llvm::IRBuilderBase &B, llvm::Value *Record,
                   unsigned Field) const;
  void set(llvm::IRBuilderBase &B, llvm::Value *Record, unsigned Field,
           llvm::Value *V) const;

  /// Puts the record of the task \p Id on the stack, unless it is there.
  void publish(llvm::IRBuilderBase &B, llvm::Value *Id) const;

  /// Goes on at \p Found if there are iterations left, of the record on top of
  /// the stack, else at \p None; fills \p From.
  void look(llvm::BasicBlock *From, llvm::BasicBlock *Found,
            llvm::BasicBlock *None) const;

  /// \returns the record on top of the stack, which is not empty.
  llvm::Value *top(llvm::IRBuilderBase &B) const;

private:
  unsigned Tasks;
  llvm::StructType *Record;
  /// By ID; whether it is on the stack; the stack, whose first element says how
  /// many there are and whose last one is never read.
  llvm::AllocaInst *Records, *IsListed, *Listed;

  llvm::Value *element(llvm::IRBuilderBase &B, llvm::AllocaInst *Array,
                       llvm::Value *Index) const;
  llvm::Value *count(llvm::IRBuilderBase &B) const;
  void setCount(llvm::IRBuilderBase &B, llvm::Value *Count) const;
  llvm::Value *idAt(llvm::IRBuilderBase &B, llvm::Value *Place) const;
};

} // namespace asyncmem

#endif
