// SPDX-License-Identifier: Apache-2.0
// The instructions by which a task requests what it waits for.
//
// 1. `aset` opens a group of several requests, an `aload` or `astore` for each follows
//    (contract, "What they do").
// 2. A request that may leave its page is compared when the program runs; then each
//    access has one of its own.
// 3. Strips: the requests of the first iteration, then those of the others in a loop.
// 4. Blocks of rows: another block is requested with a group that is there anyway.
//
//   x = *p + *q  ->  aset(id, 2); aload(p, id); aload(q, id + 8); wait; x = ...

#ifndef ASYNCMEM_REQUESTISSUER_H
#define ASYNCMEM_REQUESTISSUER_H

#include "tasks/TaskHandle.h"

namespace asyncmem {

class RequestIssuer {
public:
  RequestIssuer(llvm::Function &F, const TaskBlocks &Blocks, TaskHandle &Handle,
                AddressWords &Words)
      : F(F), Blocks(Blocks), Handle(Handle), Words(Words) {}

  /// Puts the requests of \p Group, whose data for memory is in the slot, at the
  /// end of S.Before, which may become another block (Scheduler::issue).
  void issue(const AccessGroup &Group, Suspension &S,
             const Scheduler::Condition &More);

  /// The group that an iteration begins with is opened before, with as many
  /// requests as the stores it may have to complete make it. Comes in front of
  /// each launch that is not behind such stores.
  void openFirstGroup(llvm::IRBuilderBase &B) const;
  bool opensFirstGroup() const { return FirstRequests; }

  /// While iterations are left, tasks end at stores that they do not wait for.
  bool launchesAtStores() const { return LaunchesAtStores; }

private:
  llvm::Function &F;
  const TaskBlocks &Blocks;
  TaskHandle &Handle;
  AddressWords &Words;
  /// Where stores of the iteration before may be part of an iteration's first
  /// group: its own requests, if they are several.
  unsigned FirstRequests = 0;
  /// By the size of a request: what its place in the page is compared with.
  llvm::DenseMap<unsigned, llvm::Value *> PageLimits;
  bool LaunchesAtStores = false;

  bool issueCarried(const AccessGroup &Group, Suspension &S,
                    const Scheduler::Condition &More);
  bool isEnd(const llvm::BasicBlock *BB) const;
  void issueStrip(const AccessGroup &Group, Suspension &S);
  void open(const AccessGroup &Group, Suspension &S, llvm::Value *Count);
  void requestOpened(const AccessGroup &Group, const Suspension &S);
  void issueByPage(const AccessGroup &Group, Suspension &S);
  llvm::Value *pageLimit(unsigned Bytes);
  void issueWhole(llvm::IRBuilderBase &B, const AccessGroup &Group,
                  const Suspension &S, bool Rarely);
  void requestAndSwitch(llvm::IRBuilderBase &B, const AccessGroup &Group,
                        const Suspension &S, bool Rarely);
  llvm::CallInst *requestEach(llvm::IRBuilderBase &B, const AccessGroup &Group,
                              const Suspension &S, bool Rarely);
};

} // namespace asyncmem

#endif
