// SPDX-License-Identifier: Apache-2.0

#include "transform/DeadAccesses.h"
#include "common/Instructions.h"
#include "common/Names.h"

using namespace llvm;
using namespace asyncmem;

static bool namesRemotePointers(const TaskLoop &T) {
  return any_of(T.Blocks, [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) {
      return callsFunction(I, RemoteFunction);
    });
  });
}

bool asyncmem::dropDeadAccesses(TaskLoop &T, Refusal &No) {
  bool Named = namesRemotePointers(T);
  SmallVector<WeakVH, 16> Remote(T.Remote.begin(), T.Remote.end());
  for (BasicBlock *BB : T.Blocks)
    for (Instruction &I : make_early_inc_range(*BB))
      if (isMark(I))
        I.eraseFromParent();
  removeDeadInstructions(T);
  // An address may come back as another access.
  for (const auto &[Access, Left] : zip(T.Remote, Remote))
    if (!Left) {
      T.Promised.erase(Access);
      T.Lossy.erase(Access);
    }
  T.Remote.clear();
  for (const WeakVH &Left : Remote)
    if (Left)
      T.Remote.push_back(cast<Instruction>(Left));
  erase_if(T.UnmarkedObjects,
           [&](const auto &Found) { return !T.isRemote(Found.first); });
  No.NothingRemote = T.Remote.empty();
  return !No.NothingRemote ||
         refuse(No,
                Named ? "it has no remote access to wait for: none through "
                        "what __builtin_is_remote names is left in it, "
                        "calls aside"
                      : "it has no remote access to wait for; name the "
                        "remote pointers with __builtin_is_remote",
                nullptr);
}
